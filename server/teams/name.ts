import { uniqueViolation } from '@/db/violation'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

// They have a meaning of their own in addresses.
const reserved = new Set(['new', '.', '..'])

/** Throws unprocessable for a name that cannot stand in an address. Its letters are checked by the schema. */
export function checkTeamName(name: string): void {
  if (reserved.has(name.toLowerCase())) {
    throw unprocessable(`name is reserved [name: ${name}]`, {
      field: 'name',
      reason: { code: 'nameReserved', name },
    })
  }
}

/** Says in the contract's words that another team has the name; other errors pass through. */
export function explainTaken(error: unknown, orgId: number, name: string): DomainError | unknown {
  if (uniqueViolation(error) !== 'teams_name_unique') return error
  const message = `team already exists [org_id: ${orgId}, name: ${name.toLowerCase()}]`
  return unprocessable(message, {
    field: 'name',
    reason: { code: 'nameTaken', what: 'team', name },
    cause: error,
  })
}
