import { z } from 'zod'
import { clearSessionCookie, writeSessionCookie } from '@/server/auth/credentials/session-cookie'
import type { RequestCtx } from '@/server/trpc/init'
import { router } from '@/server/trpc/init'
import { openProcedure, sessionProcedure } from '@/server/trpc/procedures'
import { register, setUp } from '@/server/users'
import { RegisterInput } from '@/server/users/schema'
import { browseSessions, viewSession } from './list'
import { type OpenedSession, openSession } from './open'
import { revokeOtherSessions, revokeSession, revokeSessions } from './revoke'
import {
  BrowseSessionsInput,
  CurrentSession,
  SessionPage,
  SessionPath,
  SessionsPath,
  SignInInput,
} from './schema'
import { signIn } from './sign-in'

function welcome(ctx: RequestCtx, { secret, caller }: OpenedSession): CurrentSession {
  ctx.out.cookies.push(writeSessionCookie(secret, ctx.config.baseUrl))
  return viewSession({ caller, config: ctx.config })
}

export const sessionsRouter = router({
  getCurrent: openProcedure
    .output(CurrentSession.nullable())
    .query(({ ctx }) =>
      ctx.caller.kind === 'user' ? viewSession({ caller: ctx.caller, config: ctx.config }) : null,
    ),

  signIn: openProcedure
    .input(SignInInput)
    .output(CurrentSession)
    .mutation(async ({ ctx, input }) => welcome(ctx, await signIn(ctx, input, ctx.userAgent))),

  register: openProcedure
    .input(RegisterInput)
    .output(CurrentSession)
    .mutation(async ({ ctx, input }) =>
      welcome(ctx, await openSession(ctx, await register(ctx, input), ctx.userAgent)),
    ),

  setUp: openProcedure
    .input(RegisterInput)
    .output(CurrentSession)
    .mutation(async ({ ctx, input }) =>
      welcome(ctx, await openSession(ctx, await setUp(ctx, input), ctx.userAgent)),
    ),

  signOut: sessionProcedure.output(z.void()).mutation(async ({ ctx }) => {
    const { credential } = ctx.caller
    if (credential.kind === 'session') await revokeSession(ctx, credential.sessionId)
    ctx.out.cookies.push(clearSessionCookie(ctx.config.baseUrl))
  }),

  browse: sessionProcedure
    .input(BrowseSessionsInput)
    .output(SessionPage)
    .query(({ ctx, input }) => browseSessions(ctx, input)),

  revoke: sessionProcedure
    .input(SessionPath)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeSession(ctx, input.id)),

  revokeSeveral: sessionProcedure
    .input(SessionsPath)
    .output(z.int())
    .mutation(({ ctx, input }) => revokeSessions(ctx, input.ids)),

  revokeOthers: sessionProcedure.output(z.void()).mutation(({ ctx }) => revokeOtherSessions(ctx)),
})
