import { hasScope, isPublicOnly } from '@/server/kernel/auth/scopes'
import { forbidden } from '@/server/kernel/errors'
import { t } from './init'

/** Holds a token to its scopes: reading methods need read, the others write, in every category of the endpoint. */
export const tokenScopes = t.middleware(({ ctx, meta, next }) => {
  const { caller } = ctx
  if (caller.kind !== 'user' || caller.credential.kind !== 'token' || !meta?.rest) return next()
  const held = caller.credential.scopes
  const level = meta.openapi?.method === 'GET' ? 'read' : 'write'
  const needed = meta.rest.scopes
  if (!needed.every(category => hasScope(held, category, level))) {
    const required = needed.map(category => `${level}:${category}`).join(' ')
    throw forbidden(
      `token does not have at least one of required scope(s), required=[${required}], token scope=${held.join(',')}`,
    )
  }
  if (meta.rest.private && isPublicOnly(held)) {
    throw forbidden('this endpoint is not available for public-only tokens')
  }
  return next()
})
