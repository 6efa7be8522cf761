import { uniqueViolation } from '@/db/violation'
import { conflict, type DomainError } from '@/server/kernel/errors'
import { explainGone } from '@/server/users'

export const nameTaken = (name: string, cause?: unknown): DomainError =>
  conflict('The repository with the same name already exists.', {
    field: 'name',
    reason: { code: 'nameTaken', what: 'repository', name },
    cause,
  })

/** Says in the contract's words that the owner has this name already, or is gone; other errors pass through. */
export function explainRefusal(error: unknown, name: string): DomainError | unknown {
  return uniqueViolation(error) === 'repositories_name_unique' ? nameTaken(name, error) : explainGone(error)
}
