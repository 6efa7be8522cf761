import { invalidKey, severalKeysGiven } from './errors'

export const isArmourLine = (line: string): boolean => /^\s*-{4,5} ?BEGIN /.test(line)

/**
 * Gives the lines between a BEGIN and an END line that are the first and last of a text.
 * Throws unprocessable when either is missing, or anything stands outside them.
 */
export function linesWithin(lines: readonly string[], begin: string, end: string): string[] {
  if (lines.filter(isArmourLine).length > 1) throw severalKeysGiven()
  if (lines[0]?.trim() !== begin) {
    throw invalidKey(`text stands before the key; the first line must be ${begin}`)
  }
  const last = lines.findIndex(line => line.trim() === end)
  if (last === -1) throw invalidKey(`the key is cut off; the last line must be ${end}`)
  if (last !== lines.length - 1) throw invalidKey(`text stands after the key; the last line must be ${end}`)
  return lines.slice(1, last)
}

export function joinTrimmed(lines: readonly string[]): string {
  return lines.map(line => line.trim()).join('')
}
