import { extname } from 'node:path'
import type { Config } from '@/server/kernel/config'
import { type DomainError, type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'

interface File {
  /** The file name; undefined if the client has not sent it yet. */
  name: string | undefined
  /** The MIME type, detected from the first bytes. */
  contentType: string
}

type Limits = Pick<Config, 'releaseAllowedTypes'>

/**
 * Checks that the settings allow a file's extension or content type. A file without a known name passes if
 * the settings list at least one extension, because its extension could be allowed.
 * @throws {DomainError} invalid if they do not.
 */
export function requireAllowedUpload(limits: Limits, file: File): void {
  if (!isAllowed(limits, file)) throw forbiddenType(invalid)
}

/**
 * Checks a file's extension before its content is known. Passes if the settings list at least one content
 * type, because the content could be allowed.
 * @throws {DomainError} invalid if the settings do not allow a file with this name, whatever its content.
 */
export function requireAllowedEnding({ releaseAllowedTypes: allowed }: Limits, name: string): void {
  const mayContentDecide = allowed.some(type => !type.startsWith('.'))
  if (!mayContentDecide) requireAllowedUpload({ releaseAllowedTypes: allowed }, { name, contentType: '' })
}

/**
 * Checks that the settings allow a stored file to have this name.
 * @throws {DomainError} unprocessable if they allow neither the name's extension nor the file's content type.
 */
export function requireAllowedName(limits: Limits, file: File): void {
  if (!isAllowed(limits, file)) throw forbiddenType(unprocessable)
}

function isAllowed({ releaseAllowedTypes: allowed }: Limits, { name, contentType }: File): boolean {
  if (allowed.length === 0) return true
  const [family] = contentType.split('/')
  const types = [contentType, `${family}/*`, ...(isText(contentType) ? ['text/plain', 'text/*'] : [])]
  if (types.some(type => allowed.includes(type))) return true
  if (name === undefined) return allowed.some(type => type.startsWith('.'))
  return allowed.includes(extname(name).toLowerCase())
}

const isText = (type: string): boolean => type.startsWith('text/') || type === 'application/json'

const forbiddenType = (refuse: (message: string, details: ErrorDetails) => DomainError): DomainError =>
  refuse('This file cannot be uploaded or modified due to a forbidden file extension or type.', {
    field: 'name',
  })
