import { uniqueViolation } from '@/db/violation'
import { conflict, type DomainError, unprocessable } from '@/server/kernel/errors'
import { explainGone } from '@/server/users'

/** To a new repository that is a conflict, to one that would have another name an input it cannot use. */
export const nameTaken = (
  name: string,
  { by, cause }: { by: 'create' | 'rename'; cause?: unknown },
): DomainError =>
  (by === 'create' ? conflict : unprocessable)('The repository with the same name already exists.', {
    field: 'name',
    reason: { code: 'nameTaken', what: 'repository', name },
    cause,
  })

/** Says in the contract's words that the owner has this name already, or is gone; other errors pass through. */
export function explainRefusal(error: unknown, name: string, by: 'create' | 'rename'): DomainError | unknown {
  if (uniqueViolation(error) !== 'repositories_name_unique') return explainGone(error)
  return nameTaken(name, { by, cause: error })
}
