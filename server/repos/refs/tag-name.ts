import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { isRefName } from '@/server/kernel/git/ref-name'

/**
 * Refuses what git does not allow as the name of a tag, or cannot keep as a file, and a full ref in the place of one.
 * @throws {DomainError} unprocessable.
 */
export function checkTagName(name: string): void {
  if (name.startsWith('refs/')) {
    throw tagNotAccepted(
      `use the name of the tag alone, without ${/^refs\/((heads|tags)\/)?/.exec(name)?.[0]}`,
    )
  }
  if (isRefName(name) && name.split('/').every(part => Buffer.byteLength(part) <= maxPartBytes)) return
  throw tagNotAccepted('use the name of a tag that git allows, such as v1.0')
}

/** The refusal of a tag by its name, in the words that clients know and with what is right. */
export const tagNotAccepted = (problem: string, cause?: unknown): DomainError =>
  unprocessable(`[TagName]: GitRefName: ${problem}`, {
    field: 'tag_name',
    reason: { code: 'notAccepted', problem },
    cause,
  })

// Git adds `.lock` to the name of a file while it writes it, and file systems take 255 bytes.
const maxPartBytes = 250
