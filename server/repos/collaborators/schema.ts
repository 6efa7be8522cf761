import { z } from 'zod'
import { accessModes, grantableModes } from '@/server/access/access-mode'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { pathText } from '@/server/kernel/wire'
import { candidateSearch, User } from '@/server/users/schema'
import { RepoPath } from '../schema'

export const CollaboratorPage = pageOf(User)
/** A collaborator with their permission on the repository. */
export const Collaborator = z.object({ user: User, mode: z.enum(grantableModes) })
export type Collaborator = z.output<typeof Collaborator>
export const CollaboratorsWithModes = pageOf(Collaborator)
export const ListCollaboratorsInput = RepoPath.extend(pageInput)
export const CollaboratorCandidatesInput = RepoPath.extend(candidateSearch)
export const CollaboratorPath = RepoPath.extend({ collaborator: pathText })
export const AddCollaboratorOption = CollaboratorPath.extend({
  permission: z
    .enum(grantableModes, { error: 'Choose read, write, or admin.' })
    .optional()
    .describe('Defaults to `write`.'),
})
export type AddCollaboratorOption = z.output<typeof AddCollaboratorOption>

/** A user's permission on a repository. `role_name` always equals `permission`. */
export const RepoCollaboratorPermission = z
  .object({ permission: z.enum(accessModes), role_name: z.enum(accessModes), user: User })
  .meta({ id: 'RepoCollaboratorPermission' })
export type RepoCollaboratorPermission = z.output<typeof RepoCollaboratorPermission>
