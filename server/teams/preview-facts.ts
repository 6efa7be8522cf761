import type { Db } from '@/db/client'
import { subjectFor, type TeamGrant } from '@/server/access'
import type { AccessMode } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/auth/account'
import type { EditedMember, EditedRepository } from './effect'
import {
  type MembershipRow,
  type PreviewRepository,
  selectAttachments,
  selectCollaborations,
  selectMemberships,
} from './preview-store'
import type { TeamRow } from './store'
import { selectUnits } from './unit-store'
import type { TeamUnits } from './units'

/** What the effect of an edit rests on: who has each repository, and what else gives each member rights. */
export interface PreviewFacts {
  repositories: EditedRepository[]
  members: EditedMember[]
}

/** Gathers it for these members and repositories of a team with four queries, however many they are. */
export async function gatherFacts(
  db: Db,
  team: TeamRow,
  accounts: readonly Account[],
  rows: readonly PreviewRepository[],
  gainsAll: boolean,
): Promise<PreviewFacts> {
  const userIds = accounts.map(account => account.id)
  const repositoryIds = rows.map(row => row.id)
  const memberships = await selectMemberships(db, team.org_id, userIds)
  const teamIds = [...new Set([team.id, ...memberships.map(row => row.team_id)])]
  const units = await selectUnits(db, teamIds)
  const attachments = grouped(await selectAttachments(db, teamIds, repositoryIds), row => row.repository_id)
  const collaborations = grouped(await selectCollaborations(db, userIds, repositoryIds), row => row.user_id)
  const teamsOf = grouped(memberships, row => row.user_id)
  return {
    repositories: rows.map(row => {
      const teamIds = new Set(attachments.get(row.id)?.map(({ team_id }) => team_id))
      const attachedAfter = gainsAll || teamIds.has(team.id)
      return { id: row.id, name: row.name, isPrivate: row.is_private, teamIds, attachedAfter }
    }),
    members: accounts.map(account => {
      const grants = grantsOf(teamsOf.get(account.id) ?? [], units)
      return {
        subject: subjectFor(account),
        isOrganizationOwner: grants.some(grant => grant.mode === 'owner'),
        teams: grants.filter(grant => grant.team.id !== team.id),
        collaborations: new Map<number, AccessMode>(
          collaborations.get(account.id)?.map(row => [row.repository_id, row.mode]),
        ),
      }
    }),
  }
}

function grantsOf(memberships: readonly MembershipRow[], units: ReadonlyMap<number, TeamUnits>): TeamGrant[] {
  return memberships.map(({ team_id: id, name, mode }) => ({
    team: { id, name },
    mode,
    units: units.get(id) ?? {},
  }))
}

function grouped<T>(rows: readonly T[], key: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
