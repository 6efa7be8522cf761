import { randomBytes } from 'node:crypto'

/** Makes a random key, 32 hex digits: where an object lies, whatever it is named. */
export function newObjectKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Returns the key, now known to be one, so that no path and no address ever holds anything else.
 * @throws {Error} on anything but a key.
 */
export function checkedKey(text: string): string {
  if (!/^[0-9a-f]{32}$/.test(text)) throw new Error('not a key of an object')
  return text
}
