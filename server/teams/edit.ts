import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { viewOrg } from '@/server/orgs'
import { changeTeams } from './change-teams'
import type { TeamFor } from './load'
import { checkTeamName, mapUniqueError } from './name'
import {
  editedAccess,
  includesAllAfter,
  requireExpected,
  type TeamAccess,
  type TeamUnits,
} from './permissions/access'
import { replaceUnits, selectUnits } from './permissions/store'
import { attachAll } from './repositories/store'
import type { EditTeamOption, SaveTeamInput, SetPermissionsInput, Team } from './schema'
import { lockTeam, type TeamRow, updateTeam } from './store'
import { viewTeam } from './view'

/**
 * Updates the fields of a team that are present in the input. The permissions of the Owners team never
 * change.
 * @throws {DomainError} notFound if the team is deleted concurrently; forbidden if the Owners team would be
 * renamed; unprocessable if the name is reserved or in use, or a unit is unknown.
 */
export async function editTeam(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<EditTeamOption, 'id'>,
): Promise<Team> {
  return await edit(ctx, found, (current, team) => ({
    ...input,
    includes_all_repositories: includesAllAfter(team, input),
    access: editedAccess(current, input),
  }))
}

/**
 * Replaces a team's permissions, provided that they have not changed since the caller read them.
 * @throws {DomainError} notFound if the team is deleted concurrently; conflict if the current permissions
 * differ from the expected ones; unprocessable if a unit is unknown.
 */
export async function setPermissions(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<SetPermissionsInput, 'id'>,
): Promise<Team> {
  return await edit(ctx, found, current => {
    requireExpected(current, input.expected)
    return { access: editedAccess(current, input) }
  })
}

/**
 * Saves the fields that were changed in the team's settings form. The team's permissions are not affected.
 * @throws {DomainError} notFound if the team is deleted concurrently; conflict if someone else changed one
 * of these fields after the form was loaded; forbidden if the Owners team would be renamed; unprocessable if
 * the name is reserved or in use.
 */
export async function saveTeam(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<SaveTeamInput, 'id'>,
): Promise<Team> {
  return await edit(ctx, found, (_, team) => {
    requireUnchanged(fieldsOf(team), input)
    return input.changes
  })
}

const fieldsOf = ({ name, description, includes_all_repositories, can_create_org_repo }: TeamRow) => ({
  name,
  description,
  includes_all_repositories,
  can_create_org_repo,
})

type TeamChange = SaveTeamInput['changes'] & { access?: TeamAccess }

// `changeOf` computes the change from the team's state under the lock.
async function edit(
  ctx: UserCtx,
  { org, team: { id } }: TeamFor<'ownership'>,
  changeOf: (current: TeamAccess, team: TeamRow) => TeamChange,
): Promise<Team> {
  let name = ''
  try {
    return await changeTeams(ctx, org.id, async trx => {
      const team = await lockTeam(trx, id)
      if (!team) throw deleted('team')
      const current = { mode: team.mode, units: (await selectUnits(trx, [id])).get(id) ?? {} }
      const change = changeOf(current, team)
      name = change.name ?? ''
      const { changed, units } = await save(trx, team, current, change)
      const facts = { teamId: team.id, team: changed.name, permission: changed.mode }
      await recordEvent(trx, originOf(ctx), { kind: 'team.edited', ownerId: org.id, facts })
      return viewTeam(changed, units, viewOrg(ctx, org))
    })
  } catch (error) {
    throw mapUniqueError(error, org.id, name)
  }
}

async function save(
  trx: Transaction<Database>,
  team: TeamRow,
  current: TeamAccess,
  change: TeamChange,
): Promise<{ changed: TeamRow; units: TeamUnits }> {
  const { mode, units } = change.access ?? current
  const includesAll = team.is_owners ? undefined : change.includes_all_repositories
  const changed = await updateTeam(trx, team.id, {
    name: newName(team, change),
    description: change.description ?? team.description,
    mode,
    includes_all_repositories: includesAll ?? team.includes_all_repositories,
    can_create_org_repo: team.is_owners || (change.can_create_org_repo ?? team.can_create_org_repo),
  })
  if (units !== current.units) await replaceUnits(trx, team, units)
  if (changed.includes_all_repositories && !team.includes_all_repositories) await attachAll(trx, team)
  return { changed, units }
}

function newName(team: TeamRow, { name }: TeamChange): string {
  if (!name || name === team.name) return team.name
  if (!team.is_owners) {
    checkTeamName(name)
    return name
  }
  // Clients that send every field also send the current name, possibly in a different case.
  if (name.toLowerCase() === team.name.toLowerCase()) return team.name
  throw forbidden('the Owners team cannot be renamed', { field: 'name', reason: { code: 'ownersTeamStays' } })
}
