import { randomBytes } from 'node:crypto'

/** Creates a random object key of 32 hex digits. */
export function newObjectKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Returns the key after validation, so that no path or URL ever contains anything else.
 * @throws {Error} if it is not a valid key.
 */
export function checkedKey(text: string): string {
  if (!/^[0-9a-f]{32}$/.test(text)) throw new Error('not an object key')
  return text
}
