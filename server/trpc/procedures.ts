import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import {
  type ActingCaller,
  type AdminCaller,
  type Caller,
  requireAdmin,
  type UserCaller,
} from '@/server/kernel/caller'
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
import type { Meta } from './rest'

/** Returns the caller of the context, after checking that they can use the procedure. */
type Admit<Admitted extends Caller> = (ctx: RequestCtx, meta: Meta | undefined) => Admitted

const anyone: Admit<Caller> = (ctx, meta) => {
  requireScopes(ctx, meta)
  return ctx.caller
}

const signedIn: Admit<UserCaller> = (ctx, meta) => {
  requireScopes(ctx, meta)
  const caller = requireSignedIn(ctx)
  requireUsableSession(ctx)
  return caller
}

const acting: Admit<ActingCaller> = (ctx, meta) => {
  requireScopes(ctx, meta)
  const caller = requireActing(ctx, meta)
  requireUsableSession(ctx)
  return caller
}

const administrator: Admit<AdminCaller> = (ctx, meta) => {
  requireScopes(ctx, meta)
  const caller = requireAdmin(requireSignedIn(ctx))
  requireUsableSession(ctx)
  return caller
}

/**
 * Creates procedures for callers whom `admit` accepts, and gives all their domain errors the tRPC codes that
 * every transport expects. It is one middleware and hands on the context as it is, because the library copies
 * the call for each middleware, and each context that one hands on, property by property.
 */
const procedureFor = <Admitted extends Caller>(
  admit: Admit<Admitted>,
  { bodyLater = false }: { bodyLater?: boolean } = {},
) =>
  t.procedure.use(async ({ ctx, meta, next }) => {
    try {
      admit(ctx, meta)
      if (!bodyLater) requireReadableBody(ctx)
    } catch (error) {
      throw codedError(error, ctx) ?? error
    }
    // Only the type of the context changes.
    const result = await next<{ caller: Admitted }>({})
    const error = result.ok ? undefined : codedError(result.error.cause, ctx)
    if (error) throw error
    return result
  })

function codedError(error: unknown, ctx: RequestCtx): TRPCError | undefined {
  const cause = domainErrorOf(error, ctx)
  return cause && new TRPCError({ code: errorTable[cause.kind].trpc, message: cause.message, cause })
}

/** Procedure for anyone, signed in or not. */
export const openProcedure = procedureFor(anyone)

/** Procedure for signed-in users, including those who must change their password first. */
export const sessionProcedure = procedureFor(requireSignedIn)

/** Procedure for signed-in users whose account can act. */
export const signedInProcedure = procedureFor(signedIn)

/** Procedure for site administrators. */
export const adminProcedure = procedureFor(administrator)

const signedInCaller = procedureFor(signedIn, { bodyLater: true })
const actingCaller = procedureFor(acting, { bodyLater: true })
const adminCaller = procedureFor(administrator, { bodyLater: true })

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
  signedInCaller.input(path).use(async ({ ctx, input, next }) => {
    const found = await load(ctx, input as z.output<Path>)
    requireReadableBody(ctx)
    return next({ ctx: { found } })
  })

/**
 * Creates a procedure like `signedInWith` that jobs can also call if its endpoint names the permission that
 * they need.
 */
export const actingWith = <Path extends z.ZodObject, Found>(
  path: Path,
  load: (ctx: ActingRequestCtx, path: z.output<Path>) => Promise<Found>,
) =>
  actingCaller.input(path).use(async ({ ctx, input, next }) => {
    const found = await load(ctx, input as z.output<Path>)
    requireReadableBody(ctx)
    return next({ ctx: { found } })
  })

/**
 * Creates a procedure for site administrators with path parameters. `load` finds the object that they name,
 * and the procedure gets it as `ctx.found`.
 */
export const adminWith = <Path extends z.ZodObject, Found>(
  path: Path,
  load: (ctx: AdminRequestCtx, path: z.output<Path>) => Promise<Found>,
) =>
  adminCaller.input(path).use(async ({ ctx, input, next }) => {
    const found = await load(ctx, input as z.output<Path>)
    requireReadableBody(ctx)
    return next({ ctx: { found } })
  })
