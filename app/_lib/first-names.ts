/** How many there are of something, and the first of them by name. */
export interface FirstNames {
  total: number
  names: readonly string[]
}

/** The names, and how many more there are. */
export function listed({ total, names }: FirstNames): string {
  const more = total - names.length
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en-US')} more` : names.join(', ')
}

export const counted = (total: number, [one, many]: readonly [one: string, many: string]): string =>
  total === 1 ? `1 ${one}` : `${total.toLocaleString('en-US')} ${many}`
