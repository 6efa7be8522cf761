import {
  requireAdmin,
  requireGoodStanding,
  requireReadableBody,
  requireScopes,
  requireSignedIn,
} from './admission'
import { domainErrors } from './error-middleware'
import { t } from './init'

const base = t.procedure.use(domainErrors)

/** Anyone, signed in or not. */
export const openProcedure = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  requireReadableBody(ctx)
  return next()
})

/** A signed-in person, even one who must change the password first. */
export const enteredProcedure = base.use(({ ctx, next }) => {
  const caller = requireSignedIn(ctx)
  requireReadableBody(ctx)
  return next({ ctx: { caller } })
})

/** A signed-in person in good standing. */
export const signedInProcedure = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  const caller = requireSignedIn(ctx)
  requireGoodStanding(ctx)
  requireReadableBody(ctx)
  return next({ ctx: { caller } })
})

/** A site administrator. */
export const adminProcedure = base.use(({ ctx, meta, next }) => {
  requireScopes(ctx, meta)
  const caller = requireSignedIn(ctx)
  requireAdmin(caller)
  requireGoodStanding(ctx)
  requireReadableBody(ctx)
  return next({ ctx: { caller } })
})
