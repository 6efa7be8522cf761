/** What a commit or tag is about: its message up to the first line break. */
export const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').trim()
