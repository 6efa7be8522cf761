import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { type ActingCaller, type AdminCaller, requireAdmin, type UserCaller } from '@/server/kernel/caller'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { errorTable } from '@/server/kernel/errors'
import {
  requireActing,
  requireReadableBody,
  requireScopes,
  requireSignedIn,
  requireUsableSession,
} from './admission'
import { type RequestCtx, t } from './init'

/** Gives a domain error its tRPC code, for every transport that runs on procedures. */
const domainErrors = t.middleware(async ({ ctx, next }) => {
  const result = await next()
  if (result.ok) return result
  const cause = domainErrorOf(result.error.cause, ctx)
  if (!cause) return result
  throw new TRPCError({ code: errorTable[cause.kind].trpc, message: cause.message, cause })
})

const base = t.procedure.use(domainErrors)

const readableBody = t.middleware(({ ctx, next }) => {
  requireReadableBody(ctx)
  return next()
})

const openCaller = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  return next()
})

const signedInCaller = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  const caller = requireSignedIn(ctx)
  requireUsableSession(ctx)
  return next({ ctx: { caller } })
})

const actingCaller = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  const caller = requireActing(ctx, meta)
  requireUsableSession(ctx)
  return next({ ctx: { caller } })
})

const adminCaller = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  const caller = requireAdmin(requireSignedIn(ctx))
  requireUsableSession(ctx)
  return next({ ctx: { caller } })
})

/** Procedure for anyone, signed in or not. */
export const openProcedure = openCaller.use(readableBody)

/** Procedure for signed-in users, including those who must change their password first. */
export const sessionProcedure = base
  .use(({ ctx, next }) => next({ ctx: { caller: requireSignedIn(ctx) } }))
  .use(readableBody)

/** Procedure for signed-in users whose account can act. */
export const signedInProcedure = signedInCaller.use(readableBody)

/** Procedure for site administrators. */
export const adminProcedure = adminCaller.use(readableBody)

type UserRequestCtx = RequestCtx & { caller: UserCaller }
type ActingRequestCtx = RequestCtx & { caller: ActingCaller }
type AdminRequestCtx = RequestCtx & { caller: AdminCaller }

/**
 * Creates a procedure for signed-in users with path parameters. `load` finds the object that they name and
 * checks the caller's access, and the procedure gets it as `ctx.found`. The body is checked only after that,
 * so a missing object or role is reported before an invalid body.
 */
export const signedInWith = <Path extends z.ZodObject, Found>(
  path: Path,
  load: (ctx: UserRequestCtx, path: z.output<Path>) => Promise<Found>,
) =>
  signedInCaller
    .input(path)
    .use(async ({ ctx, input, next }) => next({ ctx: { found: await load(ctx, input as z.output<Path>) } }))
    .use(readableBody)

/**
 * Creates a procedure like `signedInWith` that jobs can also call if its endpoint names the permission that
 * they need.
 */
export const actingWith = <Path extends z.ZodObject, Found>(
  path: Path,
  load: (ctx: ActingRequestCtx, path: z.output<Path>) => Promise<Found>,
) =>
  actingCaller
    .input(path)
    .use(async ({ ctx, input, next }) => next({ ctx: { found: await load(ctx, input as z.output<Path>) } }))
    .use(readableBody)

/**
 * Creates a procedure for site administrators with path parameters. `load` finds the object that they name,
 * and the procedure gets it as `ctx.found`.
 */
export const adminWith = <Path extends z.ZodObject, Found>(
  path: Path,
  load: (ctx: AdminRequestCtx, path: z.output<Path>) => Promise<Found>,
) =>
  adminCaller
    .input(path)
    .use(async ({ ctx, input, next }) => next({ ctx: { found: await load(ctx, input as z.output<Path>) } }))
    .use(readableBody)
