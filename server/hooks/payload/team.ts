import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Organization } from '@/server/orgs/schema'
import { asOwner, viewRepositoryAs } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { viewTeam } from '@/server/teams'
import type { Team } from '@/server/teams/schema'
import { lookupsOf } from './lookups'
import { type EventOwner, type OrganizationState, organizationState, shownAtDeletion } from './state'
import { type EventOf, type HookPayload, payload } from './types'

export async function teamChanged(
  ctx: ServiceCtx,
  event: EventOf<'team.created' | 'team.edited' | 'team.deleted'>,
): Promise<HookPayload | undefined> {
  const { facts } = event
  const found = await teamState(ctx, event, facts.teamId, { shown: 'shown' in facts && facts.shown })
  if (!found) return undefined
  const { team, organization, sender } = found
  const action = actions[event.kind]
  return payload('team', { action, team, organization, sender })
}

const actions = { 'team.created': 'created', 'team.edited': 'edited', 'team.deleted': 'deleted' } as const

export async function teamRepositoryChanged(
  ctx: ServiceCtx,
  event: EventOf<'team.repository_added' | 'team.repository_removed'>,
): Promise<HookPayload | undefined> {
  const { teamId, repositoryId } = event.facts
  const found = await teamState(ctx, event, teamId)
  if (!found) return undefined
  const { team, account, organization, sender } = found
  const row =
    repositoryId === undefined
      ? undefined
      : (await lookupsOf(ctx.db).repositories([repositoryId])).get(repositoryId)
  const repository = row
    ? viewRepositoryAs(ctx, { repository: row, owner: account }, asOwner)
    : await shownAtDeletion<Repository>(ctx.db, event, 'repository.deleted', { repositoryId })
  // The organization's webhooks must not receive a repository that belongs to another owner now.
  if (!repository || (row && row.owner_id !== account.id)) return undefined
  const action = event.kind === 'team.repository_added' ? 'added_to_repository' : 'removed_from_repository'
  return payload('team', { action, team, repository, organization, sender })
}

export async function teamMemberChanged(
  ctx: ServiceCtx,
  event: EventOf<'team.member_added' | 'team.member_removed'>,
): Promise<HookPayload | undefined> {
  const { teamId, memberId: id, member: name } = event.facts
  const found = await teamState(ctx, event, teamId, { personId: id })
  if (!found) return undefined
  const { team, organization, sender } = found
  const action = event.kind === 'team.member_added' ? 'added' : 'removed'
  const member = found.person({ id, name })
  return payload('membership', { action, scope: 'team', member, team, organization, sender })
}

/**
 * Loads the current state of a team, or the state recorded at its deletion, with the organization of the
 * event.
 */
async function teamState(
  ctx: ServiceCtx,
  event: EventOwner,
  teamId: number | undefined,
  { shown, personId }: { shown?: unknown; personId?: number | undefined } = {},
): Promise<(OrganizationState & { team: Team }) | undefined> {
  const found = await organizationState(ctx, event, personId)
  if (!found) return undefined
  const team =
    (shown || teamId === undefined ? undefined : await currentTeam(ctx, teamId, found.organization)) ??
    ((shown || undefined) as Team | undefined) ??
    (await shownAtDeletion<Team>(ctx.db, event, 'team.deleted', { teamId }))
  return team && { ...found, team }
}

async function currentTeam(
  { db }: ServiceCtx,
  id: number,
  organization: Organization,
): Promise<Team | undefined> {
  const lookups = lookupsOf(db)
  const [teams, units] = await Promise.all([lookups.teams([id]), lookups.units([id])])
  const row = teams.get(id)
  return row && viewTeam(row, units.get(id) ?? {}, organization)
}
