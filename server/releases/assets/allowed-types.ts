import { extname } from 'node:path'
import type { Config } from '@/server/kernel/config'
import { type DomainError, type ErrorDetails, invalid, unprocessable } from '@/server/kernel/errors'

interface File {
  /** Undefined where it is still to come. */
  name: string | undefined
  /** By its first bytes. */
  contentType: string
}

type Limits = Pick<Config, 'releaseAllowedTypes'>

/** @throws {DomainError} invalid for a file that the settings allow neither by its last ending nor by its content. */
export function requireAllowedUpload(limits: Limits, file: File): void {
  if (!isAllowed(limits, file)) throw forbiddenType(invalid)
}

/** @throws {DomainError} invalid for a file that the settings do not allow, whatever its content is to be. */
export function requireAllowedEnding({ releaseAllowedTypes: allowed }: Limits, name: string): void {
  const mayContentDecide = allowed.some(type => !type.startsWith('.'))
  if (!mayContentDecide) requireAllowedUpload({ releaseAllowedTypes: allowed }, { name, contentType: '' })
}

/** @throws {DomainError} unprocessable where the settings allow a file of this content no such ending. */
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
