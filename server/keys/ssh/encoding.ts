import { foreignCharacterError, invalidKey, severalKeys } from './errors'
import { foreignCharacter } from './pasted-text'

/**
 * Decodes base64 strictly, so that each value has only one encoding except for padding, which must be
 * complete or absent.
 * @throws {DomainError} unprocessable if the text is empty or not valid base64.
 */
export function decodeBase64(text: string): Buffer {
  if (text === '') throw invalidKey('the key itself is missing; copy the whole line of the .pub file')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    const foreign = foreignCharacter(text)
    if (foreign) throw foreignCharacterError(foreign)
    throw invalidKey('the key is not valid base64; copy the .pub file again, without changes')
  }
  const bytes = Buffer.from(text, 'base64')
  const padded = bytes.toString('base64')
  const bare = padded.slice(0, Math.ceil((bytes.length * 4) / 3))
  if (text !== padded && text !== bare) {
    throw invalidKey('the base64 text is cut off or damaged; copy the whole key')
  }
  return bytes
}

/** Returns whether a word starts like the base64 of an SSH public key or certificate. */
export function looksLikeKeyBlob(word: string): boolean {
  if (!word.startsWith('AAAA')) return false
  const start = Buffer.from(word.slice(0, 24), 'base64').toString('latin1', 4)
  return /^(?:ssh-|ecdsa-sha2-|sk-ssh-|sk-ecdsa-)/.test(start)
}

export const isArmorLine = (line: string): boolean => /^\s*-{4,5} ?BEGIN /.test(line)

/**
 * Returns the lines between a BEGIN and an END line, which must be the first and last line of the text.
 * @throws {DomainError} unprocessable if either line is missing or there is text outside of them.
 */
export function linesWithin(lines: readonly string[], begin: string, end: string): string[] {
  if (lines.filter(isArmorLine).length > 1) throw severalKeys()
  if (lines[0]?.trim() !== begin) {
    throw invalidKey(`there is text before the key; the first line must be ${begin}`)
  }
  const last = lines.findIndex(line => line.trim() === end)
  if (last === -1) throw invalidKey(`the key is cut off; the last line must be ${end}`)
  if (last !== lines.length - 1) throw invalidKey(`there is text after the key; the last line must be ${end}`)
  return lines.slice(1, last)
}

export function joinTrimmed(lines: readonly string[]): string {
  return lines.map(line => line.trim()).join('')
}
