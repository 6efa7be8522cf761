import { unprocessable } from '@/server/kernel/errors'
import { isRefName } from '@/server/kernel/git/ref-name'

/**
 * Refuses what git does not allow as the name of a tag, or cannot keep as a file.
 * @throws {DomainError} unprocessable.
 */
export function checkTagName(name: string): void {
  if (isRefName(name) && name.split('/').every(part => Buffer.byteLength(part) <= maxPartBytes)) return
  throw unprocessable('[TagName]: GitRefName: use the name of a tag that git allows, such as v1.0', {
    field: 'tag_name',
  })
}

// Git adds `.lock` to the name of a file while it writes it, and file systems take 255 bytes.
const maxPartBytes = 250
