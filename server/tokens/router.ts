import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { createToken } from './create'
import { listTokens } from './list'
import { loadTokenOwner } from './policy'
import { removeToken, removeTokens } from './remove'
import {
  AccessToken,
  AccessTokenPage,
  BrowseTokensInput,
  CreateExpiringTokenInput,
  CreateTokenInput,
  ExpiringToken,
  ExpiringTokenPage,
  ListTokensInput,
  OwnerPath,
  TokenPath,
  TokensPath,
} from './schema'

const shared = { tag: 'tokens', scopes: ['user'] } as const
const errors = {
  404: 'The user or token does not exist.',
  403: 'The account is not yours, and you are not a site administrator.',
}

const ofOwner = signedInWith(OwnerPath, (ctx, { username }) => loadTokenOwner(ctx, username))

export const tokensRouter = router({
  list: ofOwner
    .meta(
      rest('GET', '/users/{username}/tokens', {
        ...shared,
        page: 'count',
        summary: 'List access tokens',
        errors,
      }),
    )
    .input(ListTokensInput)
    .output(AccessTokenPage)
    .query(({ ctx, input }) => listTokens(ctx, ctx.found, { q: '', sort: 'newest', ...input })),

  create: ofOwner
    .meta(
      rest('POST', '/users/{username}/tokens', {
        ...shared,
        status: 201,
        summary: 'Create an access token',
        errors: { ...errors, 400: 'The name is in use, or the scopes are missing or unknown.' },
      }),
    )
    .input(CreateTokenInput)
    .output(AccessToken)
    .mutation(({ ctx, input }) => createToken(ctx, ctx.found, input)),

  browse: ofOwner
    .input(BrowseTokensInput)
    .output(ExpiringTokenPage)
    .query(({ ctx, input }) => listTokens(ctx, ctx.found, input)),

  createExpiring: ofOwner
    .input(CreateExpiringTokenInput)
    .output(ExpiringToken)
    .mutation(({ ctx, input }) => createToken(ctx, ctx.found, input)),

  remove: ofOwner
    .meta(
      rest('DELETE', '/users/{username}/tokens/{token}', {
        ...shared,
        status: 204,
        summary: 'Revoke an access token',
        errors: { ...errors, 422: 'The text matches the ID of one token and the name of another.' },
      }),
    )
    .input(TokenPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeToken(ctx, ctx.found, input.token)),

  removeSeveral: ofOwner
    .input(TokensPath)
    .output(z.int())
    .mutation(({ ctx, input }) => removeTokens(ctx, ctx.found, input.ids)),
})
