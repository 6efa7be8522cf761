import { type DomainError, type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'

/** In bytes of UTF-8: what file systems take. */
const maxNameBytes = 255

/**
 * Makes the name of a file of what a client sent: of a path the last part alone.
 * @throws {DomainError} invalid when nothing is left, it is too long, or has control characters.
 */
export function attachmentName(sent: string): string {
  const name = lastPart(sent)
  if (name === '') throw invalid('Could not determine name of attachment.')
  return checked(name, invalid)
}

/**
 * Makes the new name of a file in the same way; undefined when nothing is left, which means that it stays.
 * @throws {DomainError} unprocessable when it is too long, or has control characters.
 */
export function newAttachmentName(sent: string): string | undefined {
  const name = lastPart(sent)
  return name === '' ? undefined : checked(name, unprocessable)
}

function lastPart(sent: string): string {
  const name = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
  return ['.', '..'].includes(name) || name.trim() === '' ? '' : name
}

// With those that turn the direction of text, `exe.png` is shown for a name that ends in `.exe`.
function checked(name: string, refuse: (message: string, details: ErrorDetails) => DomainError): string {
  const details = { field: 'name' }
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) || !name.isWellFormed()) {
    throw refuse('attachment name must not have control characters', details)
  }
  const bytes = Buffer.byteLength(name)
  if (bytes > maxNameBytes) {
    throw refuse(`attachment name has ${bytes} bytes, and must not have more than ${maxNameBytes}`, details)
  }
  return name
}
