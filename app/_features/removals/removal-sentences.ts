import { counted, type FirstNames, listNames } from '@/app/_lib/format'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'

/** One sentence for each thing a removal ends; `isOwn` addresses the person who leaves. */
export function removalSentences(target: RemovalTarget, removal: RemovalEffects, isOwn: boolean): string[] {
  const { people, members, organizations, teams, collaborations, repositories } = removal
  const who = isOwn ? 'You' : 'They'
  switch (target.kind) {
    case 'organization':
    case 'team':
    case 'deletedUser': {
      const isDeleted = target.kind === 'deletedUser'
      if (teams.total === 0 && organizations.total === 0 && !isDeleted) {
        return [`${who} are not in ${target.kind === 'team' ? 'this team' : target.org} anymore.`]
      }
      return [
        ...ifAny(teams, names => `${who} leave ${count(teams, 'team')}: ${names}.`),
        ...ifAny(
          organizations,
          names => `With that ${who.toLowerCase()} leave ${count(organizations, 'organization')}: ${names}.`,
        ),
        ...ifAny(
          collaborations,
          names =>
            `${who} are no longer a collaborator on ${count(collaborations, 'repository')}: ${names}.` +
            (isDeleted ? '' : ' Being added to a team again does not bring that back.'),
        ),
        ...ifAny(
          repositories,
          names => `${who} lose all access to ${count(repositories, 'repository')}: ${names}.`,
        ),
      ]
    }
    case 'organizationMembers':
      return people.total === 0
        ? [`None of them is in ${target.org} anymore.`]
        : [
            ...ifAny(
              people,
              names =>
                `${counted(people.total, 'person leaves', 'people leave')} the organization: ${names}.`,
            ),
            ...ifAny(teams, names => `With that they leave ${count(teams, 'team')}: ${names}.`),
            ...lostCollaborations(collaborations),
          ]
    case 'teamMembers':
      return members.total === 0
        ? ['None of them is in this team anymore.']
        : [
            ...ifAny(
              members,
              names => `${counted(members.total, 'person leaves', 'people leave')} the team: ${names}.`,
            ),
            ...ifAny(
              people,
              names =>
                `${counted(people.total, 'person is in no other team and leaves', 'people are in no other team and leave')} the organization with it: ${names}.`,
            ),
            ...lostCollaborations(collaborations),
          ]
    case 'deletedTeams':
      return teams.total === 0
        ? ['None of these teams is there anymore.']
        : [
            ...ifAny(teams, names => `${counted(teams.total, 'team is', 'teams are')} deleted: ${names}.`),
            ...(members.total === 0 ? ['Nobody is in them.'] : lostMembers(removal, 'these teams give')),
            ...ifAny(
              repositories,
              names => `Their access to ${count(repositories, 'repository')} ends: ${names}.`,
            ),
          ]
    case 'deletedTeam':
      return [
        ...(members.total === 0 ? ['The team has no members.'] : lostMembers(removal, 'this team gives')),
        ...ifAny(
          repositories,
          names => `The team’s access to ${count(repositories, 'repository')} ends: ${names}.`,
        ),
      ]
    case 'deletedOrganization':
      return [
        ...ifAny(teams, names => `${counted(teams.total, 'team is', 'teams are')} deleted: ${names}.`),
        ...ifAny(
          people,
          names => `${counted(people.total, 'person loses', 'people lose')} membership: ${names}.`,
        ),
      ]
    case 'block':
    case 'organizationBlock':
      return [
        collaborations.total === 0
          ? 'Nobody loses access to a repository.'
          : `Collaboration on ${count(collaborations, 'repository')} ends: ${listNames(collaborations)}. Unblocking does not give it back.`,
        'Transfers of repositories that wait between the two are canceled.',
      ]
  }
}

/** What the members of deleted teams lose. */
const lostMembers = ({ members, people, collaborations }: RemovalEffects, granted: string): string[] => [
  ...ifAny(
    members,
    names =>
      `${counted(members.total, 'member loses', 'members lose')} at once what only ${granted} them: ${names}.`,
  ),
  ...ifAny(
    people,
    names =>
      `${counted(people.total, 'person is in no other team and leaves', 'people are in no other team and leave')} the organization with it: ${names}.`,
  ),
  ...(people.total === 0 ? ['Nobody leaves the organization with it.'] : []),
  ...ifAny(
    collaborations,
    names =>
      `With that they are no longer collaborators on ${count(collaborations, 'repository')}: ${names}.`,
  ),
]

const lostCollaborations = (collaborations: FirstNames): string[] =>
  ifAny(
    collaborations,
    names =>
      `They are no longer collaborators on ${count(collaborations, 'repository')}: ${names}. Being added to a team again does not bring that back.`,
  )

const ifAny = (ended: FirstNames, sentence: (names: string) => string): string[] =>
  ended.total === 0 ? [] : [sentence(listNames(ended))]

const plurals = {
  organization: 'organizations',
  repository: 'repositories',
  team: 'teams',
}

const count = ({ total }: FirstNames, noun: keyof typeof plurals): string =>
  counted(total, noun, plurals[noun])
