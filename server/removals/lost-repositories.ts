import { sql, type Transaction } from 'kysely'
import { anyOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type GrantingTeam, selectGrantingTeams, subjectFor, visibleRepositories } from '@/server/access'
import { type Account, findAccountByName, findPersonByName } from '@/server/kernel/account'
import { type Ended, maxPreviewNames } from '@/server/users'
import type { RemovalTarget } from './schema'

/** Grants through which a person can see an organization's repositories, beyond what everyone can see. */
interface Holdings {
  person: Account
  orgId: number
  isMember: boolean
  teams: readonly GrantingTeam[]
  /** IDs of all repositories on which the person is a collaborator, regardless of their owners. */
  collaborations: readonly number[]
}

/**
 * Loads the grants of the person to be removed, before their removal; undefined if the removal cannot hide
 * any repositories. Runs before the caller's permission to remove the person is checked, so it must not read
 * repositories.
 */
export async function noteHoldings(
  trx: Transaction<Database>,
  target: RemovalTarget,
): Promise<Holdings | undefined> {
  if (target.kind !== 'organization' && target.kind !== 'team') return undefined
  const person = await findPersonByName(trx, target.username)
  const orgId = await findOrgId(trx, target)
  if (!person || orgId === undefined) return undefined
  const membership = await trx
    .selectFrom('organization_members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  const collaborations = await trx
    .selectFrom('repository_collaborators')
    .select('repository_id')
    .where('user_id', '=', person.id)
    .execute()
  return {
    person,
    orgId,
    isMember: membership !== undefined,
    teams: await selectGrantingTeams(trx, person.id, orgId),
    collaborations: collaborations.map(row => row.repository_id),
  }
}

async function findOrgId(
  trx: Transaction<Database>,
  target: RemovalTarget & { kind: 'organization' | 'team' },
): Promise<number | undefined> {
  if (target.kind === 'team') {
    const team = trx.selectFrom('teams').select('org_id').where('id', '=', target.id)
    return (await team.executeTakeFirst())?.org_id
  }
  return (await findAccountByName(trx, target.org))?.id
}

/**
 * Returns the organization's repositories that the person could see through the given grants but can no
 * longer see. Callers who can remove people from the organization can see all of these repositories.
 */
export async function selectLost(
  trx: Transaction<Database>,
  { person, orgId, isMember, teams, collaborations }: Holdings,
): Promise<Ended> {
  const rows = await trx
    .selectFrom('repositories')
    .innerJoin('users as owners', 'owners.id', 'repositories.owner_id')
    .select(['owners.name as owner', 'repositories.name', windowTotal])
    .where('repositories.owner_id', '=', orgId)
    .where(sql<boolean>`(
      ${isMember} and not repositories.is_private
      or ${teams.some(({ isWhole }) => isWhole)}
      or repositories.id in (
        select repository_id from team_repositories where team_id = ${anyOf(teams.map(({ id }) => id))})
      or repositories.id = ${anyOf(collaborations)})`)
    .where(sql<boolean>`not ${visibleRepositories(subjectFor(person))}`)
    .orderBy(sql`lower(repositories.name)`)
    .limit(maxPreviewNames)
    .execute()
  return { total: rows[0]?.total ?? 0, names: rows.map(({ owner, name }) => `${owner}/${name}`) }
}
