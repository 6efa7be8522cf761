import { originOf, recordedInsertion } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { type OrganizationFor, viewOrg } from '@/server/orgs'
import { changeTeams } from './change-teams'
import { checkTeamName, mapUniqueError } from './name'
import { createdAccess } from './permissions/access'
import { unitsOfInserted } from './permissions/store'
import { attachAll } from './repositories/store'
import type { CreateTeamOption, Team } from './schema'
import { type NewTeam, teamInsertion } from './store'
import { viewTeam } from './view'

const insertTeam = recordedInsertion({
  kind: 'team.created',
  idFact: 'teamId',
  insert: (db, { team }: { team: NewTeam; units: string[]; modes: string[] }) => teamInsertion(db, team),
  alongside: unitsOfInserted,
})

/**
 * Creates a team in an organization.
 * @throws {DomainError} notFound if the organization is deleted concurrently; unprocessable if the name is
 * reserved or in use, or a unit is unknown; internal, as the API contract requires, if the team has less than
 * admin permission and no units.
 */
export async function createTeam(
  ctx: UserCtx,
  { org }: OrganizationFor<'ownership'>,
  input: Omit<CreateTeamOption, 'org'>,
): Promise<Team> {
  checkTeamName(input.name)
  const { mode, units } = createdAccess(input)
  try {
    return await changeTeams(ctx, org.id, async trx => {
      const values = {
        org_id: org.id,
        name: input.name,
        description: input.description ?? '',
        mode,
        includes_all_repositories: input.includes_all_repositories ?? false,
        can_create_org_repo: input.can_create_org_repo ?? false,
      }
      const team = await insertTeam(
        trx,
        originOf(ctx),
        { team: values, units: Object.keys(units), modes: Object.values(units) },
        { ownerId: org.id, facts: { team: input.name, permission: mode } },
      )
      if (!team) throw new Error('the team was not inserted')
      if (team.includes_all_repositories) await attachAll(trx, team)
      return viewTeam(team, units, viewOrg(ctx, org))
    })
  } catch (error) {
    throw mapUniqueError(error, org.id, input.name)
  }
}
