import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { adminProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { removeUser } from '@/server/users'
import { UserPath } from '@/server/users/schema'
import { previewPurge, purgeUser } from './purge'
import {
  DepartureEffects,
  PurgeEffects,
  PurgeInput,
  RemoveUserInput,
  TakeWayOutInput,
  WayOut,
} from './schema'
import { previewDeparture, takeWayOut } from './take'

const stillNeeded =
  'Your own account, or the last administrator who can sign in; without a purge also an owner of repositories, or the last owner of an organization.'

export const departuresRouter = router({
  preview: signedInProcedure
    .input(WayOut)
    .output(DepartureEffects)
    .query(({ ctx, input }) => previewDeparture(ctx, input)),

  take: signedInProcedure
    .input(TakeWayOutInput)
    .output(z.void())
    .mutation(({ ctx, input }) => takeWayOut(ctx, input)),

  removeUser: adminProcedure
    .meta(
      rest('DELETE', '/admin/users/{username}', {
        tag: 'admin',
        scopes: ['admin'],
        status: 204,
        summary: 'Delete a user',
        errors: { 404: 'No such user, or not visible to you.', 422: stillNeeded },
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
})
