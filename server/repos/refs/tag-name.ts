import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { isRefName } from '@/server/kernel/git/ref-name'

/**
 * Rejects tag names that Git does not allow or cannot store as a file, and full refs such as
 * `refs/tags/v1.0`.
 * @throws {DomainError} unprocessable.
 */
export function checkTagName(name: string): void {
  if (name.startsWith('refs/')) {
    throw tagNotAccepted(
      `use only the name of the tag, without ${/^refs\/((heads|tags)\/)?/.exec(name)?.[0]}`,
    )
  }
  if (isRefName(name) && name.split('/').every(part => Buffer.byteLength(part) <= maxPartBytes)) return
  throw tagNotAccepted('use a tag name that Git allows, such as v1.0')
}

/**
 * Returns the error for a rejected tag name. The message starts with the prefix that existing API clients
 * expect.
 */
export const tagNotAccepted = (problem: string, cause?: unknown): DomainError =>
  unprocessable(`[TagName]: GitRefName: ${problem}`, {
    field: 'tag_name',
    reason: { code: 'notAccepted', problem },
    cause,
  })

// Git appends `.lock` to a file name while writing it, and file systems limit names to 255 bytes.
const maxPartBytes = 250
