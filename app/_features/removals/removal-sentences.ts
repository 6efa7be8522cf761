import { counted, type FirstNames, listNames } from '@/app/_lib/format'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'

/**
 * Returns one sentence for each effect of a removal. If `isOwn` is true, the viewer is the person who leaves,
 * and is addressed as "you".
 */
export function removalSentences(target: RemovalTarget, removal: RemovalEffects, isOwn: boolean): string[] {
  const { people, members, organizations, teams, collaborations, repositories } = removal
  const who = isOwn ? 'You' : 'They'
  switch (target.kind) {
    case 'organization':
    case 'team':
    case 'deletedUser': {
      const isDeleted = target.kind === 'deletedUser'
      if (teams.total === 0 && organizations.total === 0 && !isDeleted) {
        return [`${who} are no longer in ${target.kind === 'team' ? 'this team' : target.org}.`]
      }
      return [
        ...ifAny(teams, names => `${who}’ll leave ${count(teams, 'team')}: ${names}.`),
        ...ifAny(
          organizations,
          names => `${who}’ll also leave ${count(organizations, 'organization')}: ${names}.`,
        ),
        ...ifAny(
          collaborations,
          names =>
            `${who}’ll lose collaborator access to ${count(collaborations, 'repository')}: ${names}.` +
            (isDeleted ? '' : ' Being added to a team again won’t restore it.'),
        ),
        ...ifAny(
          repositories,
          names => `${who}’ll lose all access to ${count(repositories, 'repository')}: ${names}.`,
        ),
      ]
    }
    case 'organizationMembers':
      return people.total === 0
        ? [`These people are no longer in ${target.org}.`]
        : [
            ...ifAny(
              people,
              names => `${counted(people.total, 'person', 'people')} will leave the organization: ${names}.`,
            ),
            ...ifAny(teams, names => `They’ll also leave ${count(teams, 'team')}: ${names}.`),
            ...lostCollaborations(collaborations),
          ]
    case 'teamMembers':
      return members.total === 0
        ? ['These people are no longer in this team.']
        : [
            ...ifAny(
              members,
              names => `${counted(members.total, 'person', 'people')} will leave the team: ${names}.`,
            ),
            ...ifAny(
              people,
              names =>
                `${counted(people.total, 'person isn’t', 'people aren’t')} in any other team and will also leave the organization: ${names}.`,
            ),
            ...lostCollaborations(collaborations),
          ]
    case 'deletedTeams':
      return teams.total === 0
        ? ['These teams have already been deleted.']
        : [
            ...ifAny(teams, names => `${counted(teams.total, 'team', 'teams')} will be deleted: ${names}.`),
            ...(members.total === 0 ? ['They have no members.'] : lostMembers(removal, 'these teams give')),
            ...ifAny(
              repositories,
              names => `The teams will lose access to ${count(repositories, 'repository')}: ${names}.`,
            ),
          ]
    case 'deletedTeam':
      return [
        ...(members.total === 0 ? ['The team has no members.'] : lostMembers(removal, 'this team gives')),
        ...ifAny(
          repositories,
          names => `The team’s access to ${count(repositories, 'repository')} will end: ${names}.`,
        ),
      ]
    case 'deletedOrganization':
      return [
        ...ifAny(teams, names => `${counted(teams.total, 'team', 'teams')} will be deleted: ${names}.`),
        ...ifAny(
          people,
          names => `${counted(people.total, 'person', 'people')} will lose membership: ${names}.`,
        ),
      ]
    case 'block':
    case 'organizationBlock':
      return [
        collaborations.total === 0
          ? 'No one will lose access to any repositories.'
          : `Collaborator access to ${count(collaborations, 'repository')} will end: ${listNames(collaborations)}. Unblocking won’t restore it.`,
        'Pending repository transfers between the two accounts will be canceled.',
      ]
  }
}

/**
 * Returns sentences about the losses of people who are members of deleted teams. `granted` is the subject and
 * verb of a clause about the teams, such as "this team gives".
 */
const lostMembers = ({ members, people, collaborations }: RemovalEffects, granted: string): string[] => [
  ...ifAny(
    members,
    names =>
      `${counted(members.total, 'member', 'members')} will immediately lose the access that only ${granted} them: ${names}.`,
  ),
  ...ifAny(
    people,
    names =>
      `${counted(people.total, 'person isn’t', 'people aren’t')} in any other team and will also leave the organization: ${names}.`,
  ),
  ...(people.total === 0 ? ['No one will leave the organization.'] : []),
  ...ifAny(
    collaborations,
    names => `They’ll also lose collaborator access to ${count(collaborations, 'repository')}: ${names}.`,
  ),
]

const lostCollaborations = (collaborations: FirstNames): string[] =>
  ifAny(
    collaborations,
    names =>
      `They’ll lose collaborator access to ${count(collaborations, 'repository')}: ${names}. Being added to a team again won’t restore it.`,
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
