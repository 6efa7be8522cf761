import { uniqueViolation } from '@/db/violation'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

const reserved = new Set(['new', '.', '..'])

/**
 * Checks that a team name is not reserved: `new`, `.`, and `..` have a meaning of their own in URLs. The
 * input schema checks the allowed characters.
 * @throws {DomainError} unprocessable if the name is reserved.
 */
export function checkTeamName(name: string): void {
  if (reserved.has(name.toLowerCase())) {
    throw unprocessable(`name is reserved [name: ${name}]`, {
      field: 'name',
      reason: { code: 'nameReserved', name },
    })
  }
}

/**
 * Converts a unique constraint violation on a team's name to the API contract's "already exists" error.
 * Returns any other error unchanged.
 */
export function mapUniqueError(error: unknown, orgId: number, name: string): DomainError | unknown {
  if (uniqueViolation(error) !== 'teams_name_unique') return error
  const message = `team already exists [org_id: ${orgId}, name: ${name.toLowerCase()}]`
  return unprocessable(message, {
    field: 'name',
    reason: { code: 'nameTaken', what: 'team', name },
    cause: error,
  })
}
