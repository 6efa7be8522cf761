import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { viewOrg } from '@/server/orgs'
import { changeTeams } from './change'
import { getOwnTeam } from './find'
import { checkTeamName, explainTaken } from './name'
import { includesAllAfter } from './reach'
import { attachAll } from './repository-store'
import type { EditTeamOption, SetPermissionsInput, Team, TeamPermissions } from './schema'
import { lockTeam, type TeamRow, updateTeam } from './store'
import { replaceUnits, selectUnits } from './unit-store'
import { editedAccess, requireExpected, type TeamUnits } from './units'
import { viewTeam } from './view'

/**
 * Changes what was given of a team, on behalf of an owner of its organization. What the owners team may do stays,
 * whatever is given. Throws as `getOwnTeam`, forbidden for another name of the owners team, unprocessable (name
 * reserved or taken, unit unknown).
 */
export async function editTeam(ctx: UserCtx, input: EditTeamOption): Promise<Team> {
  return await edit(ctx, input)
}

/**
 * Changes what a team may do, as `editTeam` does. Throws conflict when that is not what was expected to be changed: of two
 * people who save at one instant the second is told, and overwrites nothing.
 */
export async function setPermissions(ctx: UserCtx, input: SetPermissionsInput): Promise<Team> {
  const { expected, ...change } = input
  return await edit(ctx, change, expected)
}

async function edit(ctx: UserCtx, input: EditTeamOption, expected?: TeamPermissions): Promise<Team> {
  const { org } = await getOwnTeam(ctx, input.id)
  try {
    return await changeTeams(ctx, org.id, async trx => {
      const team = await lockTeam(trx, input.id)
      if (!team) throw notFound()
      const { changed, units } = await save(trx, team, input, expected)
      const facts = { team: changed.name, permission: changed.mode }
      await recordEvent(ctx, trx, { kind: 'team.edited', ownerId: org.id, facts })
      return viewTeam(changed, units, viewOrg(org, ctx.caller, ctx.config.baseUrl))
    })
  } catch (error) {
    throw explainTaken(error, org.id, input.name ?? '')
  }
}

async function save(
  trx: Transaction<Database>,
  team: TeamRow,
  input: EditTeamOption,
  expected: TeamPermissions | undefined,
): Promise<{ changed: TeamRow; units: TeamUnits }> {
  const current = { mode: team.mode, units: (await selectUnits(trx, [team.id])).get(team.id) ?? {} }
  if (expected) requireExpected(current, expected)
  const { mode, units } = editedAccess(current, input)
  const changed = await updateTeam(trx, team.id, {
    name: newName(team, input),
    description: input.description ?? team.description,
    mode,
    includes_all_repositories: includesAllAfter(team, input),
    can_create_org_repo: team.is_owners || (input.can_create_org_repo ?? team.can_create_org_repo),
  })
  if (units !== current.units) await replaceUnits(trx, team, units)
  if (changed.includes_all_repositories && !team.includes_all_repositories) await attachAll(trx, team)
  return { changed, units }
}

function newName(team: TeamRow, { name }: EditTeamOption): string {
  if (!name || name === team.name) return team.name
  if (!team.is_owners) {
    checkTeamName(name)
    return name
  }
  // Clients that send every field send the name back, maybe in another case.
  if (name.toLowerCase() === team.name.toLowerCase()) return team.name
  throw forbidden('the Owners team cannot be renamed', { field: 'name' })
}
