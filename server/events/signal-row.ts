import { sql } from 'kysely'
import { type EventKind, readEvent } from './catalogue'
import type { EventSignal } from './hub'

// For an account's event that was caused by a repository, that repository, even if it is deleted: the event
// also concerns the repository's pages.
const repositoryOf = sql<number | null>`coalesce(repository_id, (case
  when kind in ('repository.deleted', 'repository.given_away', 'team.repository_added', 'team.repository_removed')
  then data ->> 'repositoryId' end)::bigint)`

// The member or collaborator.
const personOf = sql<number | null>`(case
  when kind like 'collaborator.%' then data ->> 'userId' else data ->> 'memberId' end)::bigint`

/** The columns of an `events` row that a signal is built from. */
export const signalColumns = [
  'id',
  'kind',
  'owner_id',
  repositoryOf.as('repository_id'),
  personOf.as('person_id'),
] as const

interface SignalRow {
  id: number
  kind: string
  owner_id: number | null
  repository_id: number | null
  person_id: number | null
}

/**
 * Converts a row of `events` to the signal for the listeners of the event hub, or returns undefined for a
 * kind that this version of the server does not know.
 */
export function signalOf(row: SignalRow): EventSignal | undefined {
  if (!readEvent({ kind: row.kind, data: {} })) return undefined
  return {
    id: row.id,
    kind: row.kind as EventKind,
    ownerId: row.owner_id,
    repositoryId: row.repository_id,
    ...(row.person_id !== null && { personId: row.person_id }),
  }
}
