import { counted, formatBytes } from '@/app/_lib/format'
import type { UploadLimits } from '@/server/releases/assets/schema'

const maxNameBytes = 255

/** Why a file will not be taken, as far as that is known before it is sent. */
export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { max_bytes: maxBytes, allowed_types: allowedTypes }: UploadLimits,
): string | undefined {
  if (maxBytes !== null && size > maxBytes) {
    // Of two sizes that read alike, neither would explain anything.
    const inWords = formatBytes(size) === formatBytes(maxBytes) ? exactBytes : formatBytes
    return `This file has ${inWords(size)}; at most ${inWords(maxBytes)} are taken.`
  }
  if (new TextEncoder().encode(name).length > maxNameBytes) {
    return `This name is too long: at most ${maxNameBytes} bytes are taken.`
  }
  return mayBeAllowed(name, allowedTypes)
    ? undefined
    : `Files of this type are not taken, only ${allowedTypes.join(', ')}.`
}

const exactBytes = (bytes: number): string => counted(bytes, 'byte', 'bytes')

// Of other entries of the list, the server judges by the first bytes of the file.
function mayBeAllowed(name: string, allowedTypes: readonly string[]): boolean {
  if (allowedTypes.length === 0 || allowedTypes.some(type => !type.startsWith('.'))) return true
  return allowedTypes.some(type => name.toLowerCase().endsWith(type.toLowerCase()))
}

/** What is taken, in words, before anything is chosen. */
export function limitsInWords({ max_bytes: maxBytes, allowed_types: allowedTypes }: UploadLimits): string {
  const size = maxBytes === null ? 'of any size' : `up to ${formatBytes(maxBytes)} each`
  const types = allowedTypes.length === 0 ? 'Any type' : allowedTypes.join(', ')
  return `${types}, ${size}. Large files go on where they were interrupted.`
}
