import { z } from 'zod'
import { loadScope } from '@/server/scopes'
import { scopeKit } from '@/server/scopes/router'
import type { ScopeName } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { rest } from '@/server/trpc/rest'
import { addVariable } from './add'
import { changeVariable } from './edit'
import { listVariables } from './list'
import { loadVariable } from './load'
import { managingProcedures } from './manage/router'
import { removeVariable } from './remove'
import { refOf } from './rules'
import {
  ActionVariable,
  ActionVariablePage,
  CreateOrUpdateSecretOption,
  CreateVariableOption,
  ListInput,
  Secret,
  SecretPage,
  SecretPath,
  UpdateVariableOption,
  VariablePath,
} from './schema'
import { setSecret } from './set'
import { viewSecret, viewVariable } from './view'

type Scope = ScopeName['kind']

const aboutBody = {
  400: 'The name is invalid.',
  422: 'The value is missing or too long, or the scope would exceed its limit on the number or total size of values.',
}

function secretEndpointsOf(kind: Scope) {
  const { prefix, whose, shared, errors, errorsOfOne, procedure } = scopeKit(kind)
  const at = `${prefix}/actions/secrets` as const
  const scope = procedure(z.object({}), loadScope)
  const newSecret = procedure(SecretPath, loadScope)
  const secret = procedure(SecretPath, (ctx, name, { secretname }) =>
    loadVariable(ctx, name, refOf('secret', secretname)),
  )
  return router({
    list: scope
      .meta(
        rest('GET', at, {
          ...shared,
          page: 'links',
          summary: `List secret names for ${whose}`,
          errors,
        }),
      )
      .input(ListInput)
      .output(SecretPage)
      .query(async ({ ctx, input }) => {
        const page = await listVariables(ctx, ctx.found, 'secret', input)
        return { ...page, items: page.items.map(viewSecret) }
      }),

    set: newSecret
      .meta(
        rest('PUT', `${at}/{secretname}`, {
          ...shared,
          status: 201,
          statusOfNull: 204,
          summary: `Create a secret for ${whose} or replace its value`,
          errors: { ...errors, ...aboutBody },
        }),
      )
      .input(CreateOrUpdateSecretOption)
      .output(Secret.nullable())
      .mutation(async ({ ctx, input: { secretname: name, data: value, description } }) => {
        const { secret, isNew } = await setSecret(ctx, ctx.found, { name, value, description })
        return isNew ? viewSecret(secret) : null
      }),

    remove: secret
      .meta(
        rest('DELETE', `${at}/{secretname}`, {
          ...shared,
          status: 204,
          summary: `Delete a secret for ${whose}`,
          errors: errorsOfOne('secret'),
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeVariable(ctx, ctx.found)),
  })
}

function variableEndpointsOf(kind: Scope) {
  const { prefix, whose, shared, errors, errorsOfOne, procedure } = scopeKit(kind)
  const at = `${prefix}/actions/variables` as const
  const scope = procedure(z.object({}), loadScope)
  const newVariable = procedure(VariablePath, loadScope)
  const variable = procedure(VariablePath, (ctx, name, { variablename }) =>
    loadVariable(ctx, name, refOf('variable', variablename)),
  )
  return router({
    list: scope
      .meta(
        rest('GET', at, {
          ...shared,
          page: 'links',
          summary: `List variables for ${whose}`,
          errors,
        }),
      )
      .input(ListInput)
      .output(ActionVariablePage)
      .query(async ({ ctx, input }) => {
        const page = await listVariables(ctx, ctx.found, 'variable', input)
        return { ...page, items: page.items.map(viewVariable) }
      }),

    get: variable
      .meta(
        rest('GET', `${at}/{variablename}`, {
          ...shared,
          summary: `Get a variable for ${whose}`,
          errors: errorsOfOne('variable'),
        }),
      )
      .output(ActionVariable)
      .query(({ ctx }) => viewVariable(ctx.found.variable)),

    add: newVariable
      .meta(
        rest('POST', `${at}/{variablename}`, {
          ...shared,
          status: 201,
          summary: `Create a variable for ${whose}`,
          errors: { ...errors, ...aboutBody, 409: 'A variable with this name already exists.' },
        }),
      )
      .input(CreateVariableOption)
      .output(ActionVariable)
      .mutation(async ({ ctx, input: { variablename: name, value, description } }) =>
        viewVariable(await addVariable(ctx, ctx.found, 'variable', { name, value, description })),
      ),

    edit: variable
      .meta(
        rest('PUT', `${at}/{variablename}`, {
          ...shared,
          status: 204,
          summary: `Edit a variable for ${whose}`,
          errors: {
            ...errorsOfOne('variable'),
            ...aboutBody,
            409: 'Another variable already has the new name.',
          },
        }),
      )
      .input(UpdateVariableOption)
      .output(z.void())
      .mutation(async ({ ctx, input: { name, value, description } }) => {
        await changeVariable(ctx, ctx.found, () => ({ name: name || undefined, value, description }))
      }),

    remove: variable
      .meta(
        rest('DELETE', `${at}/{variablename}`, {
          ...shared,
          status: 204,
          summary: `Delete a variable for ${whose}`,
          errors: errorsOfOne('variable'),
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeVariable(ctx, ctx.found)),
  })
}

/** Procedures for secrets and variables of every kind of scope. The site has only variables. */
export const secretsRouter = router({
  ...managingProcedures,
  ofOrganization: secretEndpointsOf('organization'),
  ofRepository: secretEndpointsOf('repository'),
  own: secretEndpointsOf('own'),
  variables: router({
    ofOrganization: variableEndpointsOf('organization'),
    ofRepository: variableEndpointsOf('repository'),
    own: variableEndpointsOf('own'),
    ofSite: variableEndpointsOf('site'),
  }),
})
