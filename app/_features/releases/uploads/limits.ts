import { counted, formatBytes } from '@/app/_lib/format'
import type { UploadLimits } from '@/server/releases/assets/schema'

const maxNameBytes = 255

/**
 * Returns why a file would be rejected, as far as the browser can tell before uploading it; undefined if it
 * seems acceptable.
 */
export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  limits: UploadLimits,
): string | undefined {
  const { max_bytes: maxBytes, allowed_types: allowedTypes } = limits
  if (maxBytes !== null && size > maxBytes) {
    // If both rounded sizes are the same, the message would not explain anything.
    const format = formatBytes(size) === formatBytes(maxBytes) ? exactBytes : formatBytes
    return `This file is ${format(size)}; the limit is ${format(maxBytes)}.`
  }
  if (new TextEncoder().encode(name).length > maxNameBytes) {
    return `This file name is too long; the limit is ${maxNameBytes} bytes.`
  }
  return mayBeAllowed(name, allowedTypes) ? undefined : typeRefusal(limits)
}

export const typeRefusal = ({ allowed_types: allowedTypes }: UploadLimits): string =>
  `This file type isn’t allowed. Allowed types: ${allowedTypes.join(', ')}.`

const exactBytes = (bytes: number): string => counted(bytes, 'byte', 'bytes')

// The server checks MIME types against the file's first bytes, so any file can match them here.
function mayBeAllowed(name: string, allowedTypes: readonly string[]): boolean {
  if (allowedTypes.length === 0 || allowedTypes.some(type => !type.startsWith('.'))) return true
  return allowedTypes.some(type => name.toLowerCase().endsWith(type.toLowerCase()))
}
