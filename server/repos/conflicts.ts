import { uniqueViolation } from '@/db/violation'
import { conflict, type DomainError, unprocessable } from '@/server/kernel/errors'
import { explainGone } from '@/server/users'

/** The error for a name in use: conflict for a new repository, unprocessable for a rename. */
export const nameTaken = (
  name: string,
  { by, cause }: { by: 'create' | 'rename'; cause?: unknown },
): DomainError =>
  (by === 'create' ? conflict : unprocessable)('The repository with the same name already exists.', {
    field: 'name',
    reason: { code: 'nameTaken', what: 'repository', name },
    cause,
  })

/** Maps a violated constraint to the error for a name in use, or for an owner that is gone; other errors pass through. */
export function explainRefusal(error: unknown, name: string, by: 'create' | 'rename'): DomainError | unknown {
  if (uniqueViolation(error) !== 'repositories_name_unique') return explainGone(error)
  return nameTaken(name, { by, cause: error })
}
