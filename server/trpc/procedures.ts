import { requireUsableAccount } from '@/server/kernel/auth/account-state'
import type { UserCaller } from '@/server/kernel/caller'
import { forbidden, unauthenticated } from '@/server/kernel/errors'
import { domainErrors } from './error-middleware'
import { t } from './init'
import { tokenScopes } from './scope-middleware'

// Who may call is settled before what was sent is looked at: each procedure ends with the body check.
const readableBody = t.middleware(({ ctx, next }) => {
  if (ctx.bodyError) throw ctx.bodyError
  return next()
})

const signedIn = t.middleware(({ ctx, next }) => {
  if (ctx.caller.kind !== 'user') throw unauthenticated()
  return next({ ctx: { ...ctx, caller: ctx.caller satisfies UserCaller } })
})

// Tokens and passwords are held to this when they are resolved, before an administrator may act as someone else.
const usable = t.middleware(({ ctx, next }) => {
  const { caller, config } = ctx
  if (caller.kind === 'user' && caller.credential.kind === 'session') {
    requireUsableAccount(caller.user, config.baseUrl)
  }
  return next()
})

const admin = t.middleware(({ ctx, next }) => {
  if (ctx.caller.kind !== 'user') throw unauthenticated()
  if (!ctx.caller.user.is_admin) throw forbidden('user should be the site admin')
  return next({ ctx: { ...ctx, caller: ctx.caller satisfies UserCaller } })
})

const base = t.procedure.use(domainErrors)

/** Anyone, signed in or not. */
export const openProcedure = base.use(tokenScopes).use(readableBody)

/** A signed-in person, even one who must change the password first. */
export const enteredProcedure = base.use(signedIn).use(readableBody)

/** A signed-in person in good standing. */
export const signedInProcedure = base.use(tokenScopes).use(signedIn).use(usable).use(readableBody)

/** A site administrator. */
export const adminProcedure = base.use(tokenScopes).use(admin).use(usable).use(readableBody)
