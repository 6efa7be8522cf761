import { type DomainError, type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'

/** The maximum length of a file name in bytes of UTF-8, which is also the limit of most file systems. */
const maxNameBytes = 255

/**
 * Returns the name for an uploaded file: the last segment of the path that the client sent.
 * @throws {DomainError} invalid if the name is empty or too long, or contains control characters.
 */
export function attachmentName(sent: string): string {
  const name = lastPart(sent)
  if (name === '') throw invalid('Could not determine name of attachment.')
  return checked(name, invalid)
}

/**
 * Returns the name to give a renamed file: the last segment of the path that the client sent, or undefined if
 * it is empty.
 * @throws {DomainError} unprocessable if the name is too long or contains control characters.
 */
export function newAttachmentName(sent: string): string | undefined {
  const name = lastPart(sent)
  return name === '' ? undefined : checked(name, unprocessable)
}

function lastPart(sent: string): string {
  const name = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
  return ['.', '..'].includes(name) || name.trim() === '' ? '' : name
}

// Bidirectional control characters could disguise `.exe` as another extension.
function checked(name: string, refuse: (message: string, details: ErrorDetails) => DomainError): string {
  const details = { field: 'name' }
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) || !name.isWellFormed()) {
    throw refuse('attachment name must not contain control characters', details)
  }
  const bytes = Buffer.byteLength(name)
  if (bytes > maxNameBytes) {
    throw refuse(`attachment name has ${bytes} bytes; the limit is ${maxNameBytes}`, details)
  }
  return name
}
