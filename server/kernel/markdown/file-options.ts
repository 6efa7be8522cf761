import type { FileLocation } from './file-addresses'
import type { ReferenceEnv } from './references'

/** Files longer than this number of characters are shown as plain source. */
export const maxFileLength = 512 * 1024

export type FileMarkdownOptions = ReferenceEnv & {
  baseUrl: string
  file: FileLocation
}
