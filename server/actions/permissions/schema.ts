import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { ScopePath } from '@/server/scopes/schema'

export const jobLevels = ['none', 'read', 'write'] as const
export const accessLevels = ['none', 'user', 'organization'] as const
export const defaultChoices = ['inherit', 'read', 'write'] as const

const level = z.enum(jobLevels, { error: 'Choose none, read, or write.' })

const MaxPermissions = z.object({ contents: level, actions: level, statuses: level, packages: level })

const defaultPermissions = z
  .enum(['read', 'write'], { error: 'Choose read or write.' })
  .nullable()
  .describe('What the job token can do if the workflow has no `permissions`. Null inherits the setting.')

/** Settings for the tokens of jobs, in the form of GitHub with a ceiling. */
export const WorkflowPermissions = z
  .object({
    default_workflow_permissions: defaultPermissions,
    max_permissions: MaxPermissions.describe('The highest access of any job token, by scope.'),
  })
  .meta({ id: 'ActionWorkflowPermissions' })
export type WorkflowPermissions = z.output<typeof WorkflowPermissions>

export const SetWorkflowPermissionsOption = z.object({
  default_workflow_permissions: defaultPermissions.optional(),
  max_permissions: MaxPermissions.partial()
    .optional()
    .describe('The highest access of any job token, by scope. Omitted scopes stay unchanged.'),
})
export type SetWorkflowPermissionsOption = z.output<typeof SetWorkflowPermissionsOption>

/** Which other repositories can call the reusable workflows of a repository. */
export const WorkflowAccess = z
  .object({
    access_level: z
      .enum(accessLevels, { error: 'Choose none, user, or organization.' })
      .describe(
        '`none`: no other repository. `user`: private repositories of the same person. `organization`: private repositories of the same organization. Those of a public repository can always be called.',
      ),
  })
  .meta({ id: 'ActionWorkflowAccess' })
export type WorkflowAccess = z.output<typeof WorkflowAccess>

/** Fields of the settings page. */
export const PermissionFields = z.object({
  default: z.enum(defaultChoices),
  ...MaxPermissions.shape,
  access_level: WorkflowAccess.shape.access_level,
})
export type PermissionFields = z.output<typeof PermissionFields>

/** A scope of a job's token with what the token can do there. */
export const TokenScope = z.object({
  scope: z.string(),
  access: z.enum(['read', 'write']),
  /** Whether the token can only do this because the repository is public, or the scope has no effect here. */
  note: z.enum(['public', 'no_effect']).nullable(),
})
export type TokenScope = z.output<typeof TokenScope>

/** The settings of a scope, the default that it inherits, and who owns it if it is a repository. */
export const ShownPermissions = z.object({
  fields: PermissionFields,
  inherited: z.object({ default: z.enum(['read', 'write']), from: z.enum(['owner', 'site']) }),
  owner_kind: z.enum(['person', 'organization']).nullable(),
})
export type ShownPermissions = z.output<typeof ShownPermissions>

export const SavePermissionsInput = ScopePath.extend(formEdit(PermissionFields.partial()).shape)
export type SavePermissionsInput = z.output<typeof SavePermissionsInput>
