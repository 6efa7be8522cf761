import { extname } from 'node:path'
import type { Config } from '@/server/kernel/config'
import { type DomainError, type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'

interface File {
  /** Undefined while it is not known yet. */
  name: string | undefined
  /** Detected from the first bytes. */
  contentType: string
}

type Limits = Pick<Config, 'releaseAllowedTypes'>

/** @throws {DomainError} invalid if the settings allow neither the file's extension nor its content type. */
export function requireAllowedUpload(limits: Limits, file: File): void {
  if (!isAllowed(limits, file)) throw forbiddenType(invalid)
}

/** @throws {DomainError} invalid if the settings do not allow a file of this name, whatever its content. */
export function requireAllowedEnding({ releaseAllowedTypes: allowed }: Limits, name: string): void {
  const mayContentDecide = allowed.some(type => !type.startsWith('.'))
  if (!mayContentDecide) requireAllowedUpload({ releaseAllowedTypes: allowed }, { name, contentType: '' })
}

/** @throws {DomainError} unprocessable if the settings do not allow this name for a file with this content. */
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
