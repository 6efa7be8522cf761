import { uniqueViolation } from '@/db/violation'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

const reserved = new Set(['new', '.', '..'])

/**
 * Refuses names that have a meaning of their own in addresses. The schema checks the letters.
 * @throws {DomainError} unprocessable.
 */
export function checkTeamName(name: string): void {
  if (reserved.has(name.toLowerCase())) {
    throw unprocessable(`name is reserved [name: ${name}]`, {
      field: 'name',
      reason: { code: 'nameReserved', name },
    })
  }
}

/** Maps a violated unique name to the contract's error for a name in use; other errors pass through. */
export function mapUniqueError(error: unknown, orgId: number, name: string): DomainError | unknown {
  if (uniqueViolation(error) !== 'teams_name_unique') return error
  const message = `team already exists [org_id: ${orgId}, name: ${name.toLowerCase()}]`
  return unprocessable(message, {
    field: 'name',
    reason: { code: 'nameTaken', what: 'team', name },
    cause: error,
  })
}
