import type { Transaction } from 'kysely'
import { anyOf, inSubquery } from '@/db/sql'
import type { Database } from '@/db/tables'
import { originOf, recordEvents } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'

/**
 * Selects direct collaborations of these people: on one repository, on all repositories of one owner, or on
 * any repository.
 */
interface Collaborations {
  of: readonly number[]
  repositoryId?: number
  ownerId?: number
}

/**
 * Ends collaborations and records an event for each. Returns the repositories as `owner/name`, one entry per
 * collaboration.
 */
export async function endCollaborations(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  ending: Collaborations,
): Promise<string[]> {
  if (ending.of.length === 0) return []
  const repositories = await lockRepositories(trx, ending)
  const ended = await trx
    .deleteFrom('repository_collaborators')
    .using('users')
    .whereRef('users.id', '=', 'repository_collaborators.user_id')
    .where('repository_collaborators.repository_id', '=', anyOf([...repositories.keys()]))
    .where('repository_collaborators.user_id', '=', anyOf(ending.of))
    .returning(['repository_collaborators.repository_id', 'users.id as userId', 'users.name as user'])
    .execute()
  const collaborations = ended.map(({ repository_id: id, ...person }) => ({
    ...repositories.get(id)!,
    person,
  }))
  const events = collaborations.map(({ id, name, ownerId, person }) => ({
    kind: 'collaborator.removed' as const,
    ownerId,
    repositoryId: id,
    facts: { repositoryId: id, repository: name, ...person },
  }))
  await recordEvents(trx, originOf(ctx), events)
  return collaborations.map(({ owner, name }) => `${owner}/${name}`)
}

interface OwnedRepository {
  id: number
  name: string
  ownerId: number
  owner: string
}

// Lock repositories before their collaborations, because the deletion of a repository locks them in this
// order.
async function lockRepositories(
  trx: Transaction<Database>,
  { of, repositoryId, ownerId }: Collaborations,
): Promise<Map<number, OwnedRepository>> {
  const held = trx
    .selectFrom('repository_collaborators')
    .select('repository_id')
    .where('user_id', '=', anyOf(of))
  let query = trx
    .selectFrom('repositories')
    .innerJoin('users as owner', 'owner.id', 'repositories.owner_id')
    .select([
      'repositories.id',
      'repositories.name',
      'repositories.owner_id as ownerId',
      'owner.name as owner',
    ])
    .where(inSubquery('repositories.id', held))
  if (repositoryId !== undefined) query = query.where('repositories.id', '=', repositoryId)
  if (ownerId !== undefined) query = query.where('repositories.owner_id', '=', ownerId)
  const rows = await query.orderBy('repositories.id').forKeyShare('repositories').execute()
  return new Map(rows.map(row => [row.id, row]))
}
