import { z } from 'zod'
import { clearSessionCookie } from '@/server/auth/credentials/session-cookie'
import { router } from '@/server/trpc/init'
import { adminProcedure, adminWith, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getPerson, removeUser } from '@/server/users'
import { UserPath } from '@/server/users/schema'
import { previewPurge, purgeUser } from './purge'
import { confirmRemoval, previewRemoval } from './remove'
import { previewOf, previewOwn, revokeOf, revokeOwn } from './revoke'
import {
  ConfirmRemovalInput,
  PurgeEffects,
  PurgeInput,
  RemovalEffects,
  RemovalTarget,
  RemoveUserInput,
  Revocation,
  RevokeOwnInput,
} from './schema'

const person = adminWith(UserPath, (ctx, { username }) => getPerson(ctx, username))

const stillNeeded =
  'The account is your own or belongs to the last administrator who can sign in. Without `purge`, this error also occurs if the user owns repositories or is the last owner of an organization.'

export const removalsRouter = router({
  preview: signedInProcedure
    .input(RemovalTarget)
    .output(RemovalEffects)
    .query(({ ctx, input }) => previewRemoval(ctx, input)),

  confirm: signedInProcedure
    .input(ConfirmRemovalInput)
    .output(z.void())
    .mutation(({ ctx, input }) => confirmRemoval(ctx, input)),

  removeUser: adminProcedure
    .meta(
      rest('DELETE', '/admin/users/{username}', {
        tag: 'admin',
        scopes: ['admin'],
        operationId: 'departures-removeUser',
        status: 204,
        summary: 'Delete a user',
        errors: { 404: 'The user does not exist or is not visible to you.', 422: stillNeeded },
      }),
    )
    .input(RemoveUserInput)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await (input.purge ? purgeUser(ctx, input) : removeUser(ctx, input.username))
    }),

  previewPurge: adminProcedure
    .input(UserPath)
    .output(PurgeEffects)
    .query(({ ctx, input }) => previewPurge(ctx, input.username)),

  purge: adminProcedure
    .input(PurgeInput)
    .output(z.void())
    .mutation(({ ctx, input }) => purgeUser(ctx, input)),

  previewRevokeOwn: signedInProcedure.output(Revocation).query(({ ctx }) => previewOwn(ctx)),

  revokeOwn: signedInProcedure
    .input(RevokeOwnInput)
    .output(Revocation)
    .mutation(async ({ ctx, input }) => {
      const revoked = await revokeOwn(ctx, input)
      ctx.out.cookies.push(clearSessionCookie(ctx.config.baseUrl))
      return revoked
    }),

  previewRevokeOf: person.output(Revocation).query(({ ctx }) => previewOf(ctx, ctx.found)),

  revokeOf: person
    .meta(
      rest('POST', '/admin/users/{username}/revoke', {
        tag: 'admin',
        scopes: ['admin'],
        operationId: 'revocation-revokeOf',
        summary: "Revoke a user's SSH keys, access tokens, and sessions, and cancel their outgoing transfers",
        errors: {
          404: 'The user does not exist.',
          422: 'The account is your own. Use the page that lists your sessions instead.',
        },
      }),
    )
    .output(Revocation)
    .mutation(({ ctx }) => revokeOf(ctx, ctx.found)),
})
