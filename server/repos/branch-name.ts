import { unprocessable } from '@/server/kernel/errors'
import { isRefName } from '@/server/kernel/git/ref-name'

/**
 * Refuses what git does not allow as the name of a branch, or takes for something else.
 * @throws {DomainError} unprocessable.
 */
export function checkBranchName(name: string): void {
  if (isRefName(name)) return
  throw unprocessable(
    '[DefaultBranch]: GitRefName: use a branch name that git allows, such as main or release/2.0',
    { field: 'default_branch' },
  )
}
