import type { Selectable } from 'kysely'
import type { Unit } from '@/db/tables/team-units'
import type { AccessMode, TeamsTable } from '@/db/tables/teams'
import { addToOrg, addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { type Answer, call } from './call'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** An organization with one team, and people in every role toward both. */
export interface TeamCast {
  root: Person
  owner: Person
  inTeam: Person
  /** A member of the organization who is in no team. */
  member: Person
  outsider: Person
  org: Awaited<ReturnType<typeof makeOrg>>
  team: Selectable<TeamsTable>
}

interface CastOptions {
  org?: Parameters<typeof makeOrg>[2]
  team?: Parameters<typeof makeTeam>[2]
  units?: Partial<Record<Unit, AccessMode>>
}

export async function makeTeamCast(site: Site, options: CastOptions = {}): Promise<TeamCast> {
  const root = await makePerson(site, { is_admin: true })
  const owner = await makePerson(site)
  const inTeam = await makePerson(site)
  const member = await makePerson(site)
  const outsider = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id, options.org)
  await addToOrg(site.db, org.id, member.account.id)
  const team = await makeTeam(site.db, org.id, options.team, options.units)
  await addToTeam(site.db, team, inTeam.account.id)
  return { root, owner, inTeam, member, outsider, org, team }
}

/**
 * Sends the same request as each of these people. Returns the status and, for errors, the message of each
 * response.
 */
export async function answersTo(
  site: Site,
  method: string,
  path: string,
  people: readonly (Person | undefined)[],
  body?: unknown,
): Promise<[number, string | undefined][]> {
  const answers: [number, string | undefined][] = []
  for (const as of people) answers.push(statusAndMessage(await call(site, method, path, { as, body })))
  return answers
}

export const statusAndMessage = (answer: Answer): [number, string | undefined] => [
  answer.status,
  answer.body?.message,
]

/** The status and message of the errors that callers without permission get, by the reason. */
export const refusals = {
  anonymous: [401, 'token is required'],
  hidden: [404, 'not found'],
  notInOrg: [403, 'Must be an organization member'],
  notInTeam: [403, 'Must be a team member'],
  notOwner: [403, 'Must be an organization owner'],
} as const
