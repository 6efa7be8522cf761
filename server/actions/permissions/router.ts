import { z } from 'zod'
import { loadScope } from '@/server/scopes'
import { scopeKit } from '@/server/scopes/router'
import { type ScopeName, ScopePath } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getPermissions, showPermissions } from './get'
import { savePermissions, setPermissions } from './save'
import {
  PermissionFields,
  SavePermissionsInput,
  SetWorkflowPermissionsOption,
  ShownPermissions,
  WorkflowAccess,
  WorkflowPermissions,
} from './schema'
import { readPermissions } from './store'

const wrongWord = { 422: 'A value is not one of the words that the endpoint accepts.' }

function permissionsOf(kind: ScopeName['kind']) {
  const { prefix, whose, shared, errors, procedure } = scopeKit(kind)
  const at = `${prefix}/actions/permissions/workflow` as const
  const scope = procedure(z.object({}), loadScope)
  return router({
    get: scope
      .meta(
        rest('GET', at, {
          ...shared,
          summary: `Get the default and maximum permissions of job tokens of ${whose}`,
          errors,
        }),
      )
      .output(WorkflowPermissions)
      .query(({ ctx }) => getPermissions(ctx, ctx.found)),

    set: scope
      .meta(
        rest('PUT', at, {
          ...shared,
          status: 204,
          nulls: ['default_workflow_permissions'],
          summary: `Set the default and maximum permissions of job tokens of ${whose}`,
          errors: { ...errors, ...wrongWord },
        }),
      )
      .input(SetWorkflowPermissionsOption)
      .output(z.void())
      .mutation(({ ctx, input }) => setPermissions(ctx, ctx.found, input)),
  })
}

const ofRepository = scopeKit('repository')
const repository = ofRepository.procedure(z.object({}), loadScope)
const accessAt = `${ofRepository.prefix}/actions/permissions/access` as const
const inScope = signedInWith(ScopePath, (ctx, { scope }) => loadScope(ctx, scope))

export const permissionsRouter = router({
  ofRepository: permissionsOf('repository'),
  ofOrganization: permissionsOf('organization'),
  ofUser: permissionsOf('own'),
  ofSite: permissionsOf('site'),

  getAccess: repository
    .meta(
      rest('GET', accessAt, {
        ...ofRepository.shared,
        summary: "Get which other repositories can call a repository's reusable workflows",
        errors: ofRepository.errors,
      }),
    )
    .output(WorkflowAccess)
    .query(async ({ ctx }) => {
      const { access_level } = await readPermissions(ctx.db, ctx.found)
      return { access_level }
    }),

  setAccess: repository
    .meta(
      rest('PUT', accessAt, {
        ...ofRepository.shared,
        status: 204,
        summary: "Set which other repositories can call a repository's reusable workflows",
        errors: { ...ofRepository.errors, ...wrongWord },
      }),
    )
    .input(WorkflowAccess)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await savePermissions(ctx, ctx.found, input)
    }),

  show: inScope.output(ShownPermissions).query(({ ctx }) => showPermissions(ctx, ctx.found)),

  save: inScope
    .input(SavePermissionsInput)
    .output(PermissionFields)
    .mutation(({ ctx, input }) => savePermissions(ctx, ctx.found, input.changes, input)),
})
