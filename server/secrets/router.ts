import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { type PlaceName, placePaths } from '@/server/places/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { type RestOptions, rest } from '@/server/trpc/rest'
import { addVariable } from './add'
import { changeVariable } from './edit'
import { listVariables } from './list'
import { loadVariable } from './load'
import { managingProcedures } from './pages/router'
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

interface Place extends Pick<RestOptions, 'private'> {
  tag: 'organization' | 'repository' | 'user' | 'admin'
  /** The path prefix of the endpoints, which names the place. */
  at: `/${string}`
  scope: PlaceName['scope']
  /** For the API document. */
  whose: string
  refused: string
  notThere?: string
}

/** What the endpoints of a place share: how it and what it has are loaded, and what their meta says. */
function kitOf({ scope, refused, notThere, tag, ...options }: Place) {
  const path: z.ZodObject = z.object(placePaths[scope])
  const secretPath: typeof SecretPath = SecretPath.extend(placePaths[scope])
  const variablePath: typeof VariablePath = VariablePath.extend(placePaths[scope])
  const nameIn = (named: Record<string, unknown>) => ({ ...named, scope }) as PlaceName
  const off = { 403: `${refused}.` }
  return {
    place: signedInWith(path, (ctx, named) => loadPlace(ctx, nameIn(named))),
    newSecret: signedInWith(secretPath, (ctx, named) => loadPlace(ctx, nameIn(named))),
    secret: signedInWith(secretPath, (ctx, named) =>
      loadVariable(ctx, nameIn(named), refOf('secret', named.secretname)),
    ),
    newVariable: signedInWith(variablePath, (ctx, named) => loadPlace(ctx, nameIn(named))),
    variable: signedInWith(variablePath, (ctx, named) =>
      loadVariable(ctx, nameIn(named), refOf('variable', named.variablename)),
    ),
    shared: { tag, scopes: [tag], private: options.private },
    aboutPlace: notThere ? { ...off, 404: `${notThere}.` } : off,
    aboutOne: (what: string) => ({ ...off, 404: `${notThere ? `${notThere}, or no` : 'No'} such ${what}.` }),
  }
}

const aboutBody = {
  400: 'The name is not that of a secret or variable.',
  422: 'The value is missing or too long, or the place holds too much.',
}

function secretEndpointsOf(named: Place) {
  const { at, whose } = named
  const { place, newSecret, secret, shared, aboutPlace, aboutOne } = kitOf(named)
  return router({
    list: place
      .meta(
        rest('GET', `${at}/secrets`, {
          ...shared,
          page: 'links',
          summary: `List the names of the secrets of ${whose}`,
          errors: aboutPlace,
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
        rest('PUT', `${at}/secrets/{secretname}`, {
          ...shared,
          status: 201,
          statusOfNull: 204,
          summary: `Create a secret of ${whose}, or replace its value`,
          errors: { ...aboutPlace, ...aboutBody },
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
        rest('DELETE', `${at}/secrets/{secretname}`, {
          ...shared,
          status: 204,
          summary: `Delete a secret of ${whose}`,
          errors: aboutOne('secret'),
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeVariable(ctx, ctx.found)),
  })
}

function variableEndpointsOf(named: Place) {
  const { at, whose } = named
  const { place, newVariable, variable, shared, aboutPlace, aboutOne } = kitOf(named)
  return router({
    list: place
      .meta(
        rest('GET', `${at}/variables`, {
          ...shared,
          page: 'links',
          summary: `List the variables of ${whose}`,
          errors: aboutPlace,
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
        rest('GET', `${at}/variables/{variablename}`, {
          ...shared,
          summary: `Get a variable of ${whose}`,
          errors: aboutOne('variable'),
        }),
      )
      .output(ActionVariable)
      .query(({ ctx }) => viewVariable(ctx.found.variable)),

    add: newVariable
      .meta(
        rest('POST', `${at}/variables/{variablename}`, {
          ...shared,
          status: 201,
          summary: `Create a variable of ${whose}`,
          errors: { ...aboutPlace, ...aboutBody, 409: 'There is a variable of this name.' },
        }),
      )
      .input(CreateVariableOption)
      .output(ActionVariable)
      .mutation(async ({ ctx, input: { variablename: name, value, description } }) =>
        viewVariable(await addVariable(ctx, ctx.found, 'variable', { name, value, description })),
      ),

    edit: variable
      .meta(
        rest('PUT', `${at}/variables/{variablename}`, {
          ...shared,
          status: 204,
          summary: `Change a variable of ${whose}`,
          errors: {
            ...aboutOne('variable'),
            ...aboutBody,
            409: 'There is another variable of the new name.',
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
        rest('DELETE', `${at}/variables/{variablename}`, {
          ...shared,
          status: 204,
          summary: `Delete a variable of ${whose}`,
          errors: aboutOne('variable'),
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeVariable(ctx, ctx.found)),
  })
}

const organization: Place = {
  tag: 'organization',
  at: '/orgs/{org}/actions',
  scope: 'organization',
  whose: 'an organization',
  refused: 'You do not own the organization',
  notThere: 'No such organization, or not visible to you',
}
const repository: Place = {
  tag: 'repository',
  at: '/repos/{owner}/{repo}/actions',
  scope: 'repository',
  whose: 'a repository',
  refused: 'You do not administer the repository',
  notThere: 'No such repository, or not visible to you',
}
const own: Place = {
  tag: 'user',
  private: true,
  at: '/user/actions',
  scope: 'own',
  whose: 'your own',
  refused: 'The token is limited to public data',
}
const site: Place = {
  tag: 'admin',
  at: '/admin/actions',
  scope: 'site',
  whose: 'the site',
  refused: 'You do not administer the site',
}

/** Secrets, and variables, of every kind of place; the site has variables alone. */
export const secretsRouter = router({
  ...managingProcedures,
  ofOrganization: secretEndpointsOf(organization),
  ofRepository: secretEndpointsOf(repository),
  own: secretEndpointsOf(own),
  variables: router({
    ofOrganization: variableEndpointsOf(organization),
    ofRepository: variableEndpointsOf(repository),
    own: variableEndpointsOf(own),
    ofSite: variableEndpointsOf(site),
  }),
})
