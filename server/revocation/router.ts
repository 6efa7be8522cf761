import { clearSessionCookie } from '@/server/kernel/auth/session-cookie'
import { router } from '@/server/trpc/init'
import { adminWith, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getPerson } from '@/server/users'
import { UserPath } from '@/server/users/schema'
import { previewOf, previewOwn, revokeOf, revokeOwn } from './revoke'
import { Revocation, RevokeOwnInput } from './schema'

const person = adminWith(UserPath, (ctx, { username }) => getPerson(ctx, username))

export const revocationRouter = router({
  previewOwn: signedInProcedure.output(Revocation).query(({ ctx }) => previewOwn(ctx)),

  revokeOwn: signedInProcedure
    .input(RevokeOwnInput)
    .output(Revocation)
    .mutation(async ({ ctx, input }) => {
      const revoked = await revokeOwn(ctx, input)
      ctx.out.cookies.push(clearSessionCookie(ctx.config.baseUrl))
      return revoked
    }),

  previewOf: person.output(Revocation).query(({ ctx }) => previewOf(ctx, ctx.found)),

  revokeOf: person
    .meta(
      rest('POST', '/admin/users/{username}/revoke', {
        tag: 'admin',
        scopes: ['admin'],
        summary:
          'Revoke all SSH keys, access tokens and sessions of a user, and cancel the transfers that they offered',
        errors: {
          404: 'No such user.',
          422: 'It is your own account, which the page of your sessions is for.',
        },
      }),
    )
    .output(Revocation)
    .mutation(({ ctx }) => revokeOf(ctx, ctx.found)),
})
