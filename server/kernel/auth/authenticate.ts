import { anonymous, type Caller, type UserCaller } from '../caller'
import type { ServiceCtx } from '../ctx'
import { forbidden, notFound, unauthenticated } from '../errors'
import type { HeaderReader } from '../http/call'
import { queryToken } from '../http/query-token'
import { requireUsableAccount } from './account-state'
import { requireAdminScope } from './admin-scope'
import { parseAuthorization } from './authorization-header'
import { findPersonByName } from './find-account'
import { findTokenHolder, findTokenHolderById, type TokenHolder } from './find-token'
import { findVerified, verifyLogin, wrongLogin } from './verify-login'

type AuthCtx = Omit<ServiceCtx, 'caller'>

/**
 * Resolves who calls the REST API, from its headers and query.
 * Throws unauthenticated for credentials that do not hold (also where none are needed), forbidden for an account
 * that may not act, and for Sudo by anyone but a site administrator. The session cookie is not looked at.
 */
export async function authenticate(
  ctx: AuthCtx,
  headers: HeaderReader,
  query: URLSearchParams,
): Promise<Caller> {
  const caller = await resolve(ctx, headers, query)
  if (caller.kind !== 'user') return caller
  requireUsableAccount(caller.user, ctx.config.baseUrl)
  return await sudo(ctx, caller, headers.get('sudo') ?? query.get('sudo'))
}

/**
 * Looks up once more whom `authenticate` found with a token or password, as both are now. The secret is not asked for again:
 * nothing is hashed, waited for or counted. Throws unauthenticated when the token is gone or the password another one,
 * forbidden for an account that may not act by now.
 */
export async function authenticateAgain(ctx: AuthCtx, caller: Caller): Promise<Caller> {
  if (caller.kind === 'anonymous') return caller
  const found = await findAgain(ctx, caller)
  if (!found) throw unauthenticated(wrongLogin)
  requireUsableAccount(found.user, ctx.config.baseUrl)
  return found
}

async function findAgain(
  { db, clock }: AuthCtx,
  { user, credential }: UserCaller,
): Promise<UserCaller | undefined> {
  if (credential.kind === 'token') {
    const holder = await findTokenHolderById(db, credential.tokenId, clock.now())
    return holder && tokenCaller(holder, credential.fromBasic)
  }
  if (credential.kind === 'session' || !credential.stamp) return undefined
  const found = await findVerified(db, { user, stamp: credential.stamp })
  return found && { kind: 'user', user: found.user, credential }
}

const tokenCaller = ({ user, ...token }: TokenHolder, fromBasic: boolean): UserCaller => ({
  kind: 'user',
  user,
  credential: { kind: 'token', ...token, fromBasic },
})

async function resolve(ctx: AuthCtx, headers: HeaderReader, query: URLSearchParams): Promise<Caller> {
  const presented = parseAuthorization(headers.get('authorization'))
  if (presented === 'malformed') throw unauthenticated(wrongLogin)
  if (presented?.kind === 'token') return await byToken(ctx, presented.secret, false)
  if (presented?.kind === 'basic') return await byBasic(ctx, presented.name, presented.password)
  const inQuery = queryToken(query)
  return inQuery ? await byToken(ctx, inQuery, false) : anonymous
}

async function byToken(ctx: AuthCtx, secret: string, fromBasic: boolean): Promise<Caller> {
  const holder = await findTokenHolder(ctx.db, secret, ctx.clock.now())
  if (!holder) throw unauthenticated(wrongLogin)
  return tokenCaller(holder, fromBasic)
}

// A token may stand in either half: as the password with any name, or as the name with a filler password.
async function byBasic(ctx: AuthCtx, name: string, password: string): Promise<Caller> {
  const asName = password === '' || password === 'x-oauth-basic'
  const secret = asName ? name : password
  const holder = await findTokenHolder(ctx.db, secret, ctx.clock.now())
  if (holder) return tokenCaller(holder, true)
  if (asName) throw unauthenticated(wrongLogin)
  const { user, stamp } = await verifyLogin(ctx, name, password)
  return { kind: 'user', user, credential: { kind: 'password', stamp } }
}

async function sudo(
  ctx: AuthCtx,
  caller: Extract<Caller, { kind: 'user' }>,
  name: string | null,
): Promise<Caller> {
  if (!name) return caller
  if (!caller.user.is_admin) throw forbidden('Only administrators allowed to sudo.')
  requireAdminScope(ctx.config, caller)
  const user = await findPersonByName(ctx.db, name)
  if (!user) throw notFound()
  return { ...caller, user, actor: caller.user }
}
