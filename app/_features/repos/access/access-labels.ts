import type { AccessMode } from '@/server/access/access-mode'
import type { AccessExplanation, Repository } from '@/server/repos/schema'
import type { User } from '@/server/users/schema'

export type AccessReason = AccessExplanation['units'][number]['reasons'][number]

/** What of a repository the words depend on. */
export type ExplainedRepository = Pick<Repository, 'private' | 'full_name'> & {
  owner: Pick<Repository['owner'], 'login' | 'visibility'>
}

const modes: Record<AccessMode, string> = {
  none: 'none',
  read: 'read',
  write: 'write',
  admin: 'admin',
  owner: 'everything',
}

/** A level as the panel names it. */
export const modeLabel = (mode: AccessMode): string => modes[mode]

/** One ground for a right in words, such as “team “Builders” gives write”. */
export function reasonLabel(reason: AccessReason, { owner }: ExplainedRepository): string {
  switch (reason.source) {
    case 'siteAdmin':
      return 'administrator of this site'
    case 'owner':
      return 'owner of the repository'
    case 'organizationOwner':
      return `owner of the organization ${owner.login}`
    case 'team':
      return `team “${reason.team.name}” gives ${modes[reason.mode]}`
    case 'collaborator':
      return `collaborator with ${modes[reason.mode]}`
    case 'job':
      return 'job of the repository'
    case 'deployKey':
      return 'deploy key of the repository'
    case 'public':
      return `${audienceOf(owner)} may read it`
  }
}

/** Who can see what this account has and does not keep private. */
export function audienceOf({ login, visibility }: Pick<User, 'login' | 'visibility'>): string {
  if (visibility === 'private') return `every member of ${login}`
  return visibility === 'limited' ? 'everyone who is signed in' : 'everyone'
}
