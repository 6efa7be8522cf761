import type { AccessMode } from '@/server/access/access-mode'
import type { AccessExplanation, Repository } from '@/server/repos/schema'
import type { User } from '@/server/users/schema'

export type AccessReason = AccessExplanation['units'][number]['reasons'][number]

/** Properties of a repository that appear in the explanation of someone's access to it. */
export type ExplainedRepository = Pick<Repository, 'private' | 'full_name'> & {
  owner: Pick<Repository['owner'], 'login' | 'visibility'>
}

const modes: Record<AccessMode, string> = {
  none: 'none',
  read: 'read',
  write: 'write',
  admin: 'admin',
  owner: 'full',
}

/** Returns the name of an access mode for use within a sentence, such as "read". */
export const modeLabel = (mode: AccessMode): string => modes[mode]

/** Describes one reason for access, such as "the team “Builders” grants write access". */
export function reasonLabel(reason: AccessReason, { owner }: ExplainedRepository): string {
  switch (reason.source) {
    case 'siteAdmin':
      return 'site administrator'
    case 'owner':
      return 'repository owner'
    case 'organizationOwner':
      return `owner of the organization ${owner.login}`
    case 'team':
      return `the team “${reason.team.name}” grants ${modes[reason.mode]} access`
    case 'collaborator':
      return `collaborator with ${modes[reason.mode]} access`
    case 'job':
      return 'workflow job of this repository'
    case 'deployKey':
      return 'deploy key of this repository'
    case 'public':
      return `${audienceOf(owner)} can read this repository`
  }
}

/** Names the people who can see an account's repositories that are not private, such as "everyone". */
export function audienceOf({ login, visibility }: Pick<User, 'login' | 'visibility'>): string {
  if (visibility === 'private') return `every member of ${login}`
  return visibility === 'limited' ? 'everyone who is signed in' : 'everyone'
}
