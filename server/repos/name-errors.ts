import { uniqueViolation } from '@/db/violation'
import { alreadyExists, type DomainError, unprocessable } from '@/server/kernel/errors'
import { isRefName } from '@/server/kernel/git/ref-name'
import { mapForeignKeyError } from '@/server/users'

/** Returns the error for a name in use: alreadyExists for a new repository, unprocessable for a rename. */
export const nameInUse = (
  name: string,
  { by, cause }: { by: 'create' | 'rename'; cause?: unknown },
): DomainError =>
  (by === 'create' ? alreadyExists : unprocessable)('The repository with the same name already exists.', {
    field: 'name',
    reason: { code: 'nameTaken', what: 'repository', name },
    cause,
  })

/**
 * Converts a violated database constraint to the error for a repository name in use, or for a referenced row
 * that was deleted concurrently. Returns any other error unchanged.
 */
export function explainRefusal(error: unknown, name: string, by: 'create' | 'rename'): DomainError | unknown {
  if (uniqueViolation(error) !== 'repositories_name_unique') return mapForeignKeyError(error)
  return nameInUse(name, { by, cause: error })
}

/**
 * Rejects branch names that Git does not allow or misreads, and full refs such as `refs/heads/main`.
 * @throws {DomainError} unprocessable.
 */
export function checkBranchName(name: string): void {
  if (isRefName(name) && !name.startsWith('refs/')) return
  throw unprocessable(
    '[DefaultBranch]: GitRefName: use a branch name that Git allows, without refs/, such as main or release/2.0',
    { field: 'default_branch' },
  )
}
