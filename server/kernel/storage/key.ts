import { randomBytes } from 'node:crypto'

/** Returns a new random object key of 32 hexadecimal digits. */
export function newObjectKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Validates an object key before it becomes part of a path or URL, and returns it.
 * @throws {Error} if the text is not a valid key
 */
export function checkedKey(text: string): string {
  if (!isObjectKey(text)) throw new Error('not an object key')
  return text
}

export const isObjectKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
