/** The wire says "never" as the first moment of the calendar. */
export const isNever = (time: string): boolean => time.startsWith('0001-')
