import { findPersonByName } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import type { AuthCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { actAs, requireUsableAccount } from './acting-account'
import { parseAuthorization } from './authorization-header'
import { findTokenCaller } from './credentials/access-token'
import { findJobCaller, isJobToken } from './credentials/job-token'
import { verifyLogin, wrongLogin } from './credentials/password'
import { findSessionCaller } from './credentials/session'
import { readSessionCookie } from './credentials/session-cookie'

/** The parts of a request that can carry a credential. Each transport passes only the parts it accepts. */
export interface Presented {
  /** The Authorization header. */
  authorization?: string | null
  /** The token in the query. */
  queryToken?: string | null
  /** The Cookie header. */
  cookie?: string | null
}

/**
 * Authenticates the caller of an API and applies `sudo`, the name of an account that a site administrator acts as.
 * @throws {DomainError} unauthenticated for invalid credentials, even where none are needed; forbidden for an account that
 * cannot act, and for sudo by anyone but a site administrator; notFound if the account named by sudo does not exist.
 */
export async function authenticate(
  ctx: AuthCtx,
  { sudo, ...presented }: Omit<Presented, 'cookie'> & { sudo?: string | null },
): Promise<Caller> {
  const caller = await resolveCaller(ctx, presented)
  if (caller.kind !== 'user') return caller
  return await actAs(ctx, caller, sudo ? () => findPersonByName(ctx.db, sudo) : undefined)
}

/**
 * Authenticates the caller of an endpoint that both programs and browsers use. A token or password takes precedence over
 * the session cookie.
 * @throws {DomainError} unauthenticated for invalid credentials; forbidden for an account that cannot act.
 */
export async function authenticateAnyone(
  ctx: AuthCtx,
  presented: Pick<Presented, 'authorization' | 'cookie'>,
): Promise<Caller> {
  const caller = await resolveCaller(ctx, presented)
  if (caller.kind === 'user') requireUsableAccount(caller.user, ctx.config.baseUrl)
  return caller
}

/**
 * Returns the caller that the presented credentials identify, or the anonymous caller if there are none. Does not check
 * whether the account can act now.
 * @throws {DomainError} unauthenticated for an invalid token or password; tooManyRequests after repeated failures.
 */
export async function resolveCaller(ctx: AuthCtx, presented: Presented): Promise<Caller> {
  const { authorization, queryToken, cookie } = presented
  if (authorization == null && !queryToken && cookie == null) return anonymous
  for (const resolve of resolvers) {
    const caller = await resolve(ctx, presented)
    if (caller) return caller
  }
  return anonymous
}

/** Finds the caller by one kind of credential, and returns undefined if none of that kind is presented. */
type Resolver = (ctx: AuthCtx, presented: Presented) => Promise<Caller | undefined>

const byTokenHeader: Resolver = async (ctx, { authorization }) => {
  const found = parseAuthorization(authorization ?? null)
  if (found === 'malformed') throw unauthenticated(wrongLogin)
  return found?.kind === 'token' ? await byToken(ctx, found.secret) : undefined
}

// An access token can be either half: the password with any username, or the username with a placeholder as password. The
// token of a job is always the password.
const byBasicHeader: Resolver = async (ctx, { authorization }) => {
  const found = parseAuthorization(authorization ?? null)
  if (found === 'malformed' || found?.kind !== 'basic') return undefined
  const { name, password } = found
  if (isJobToken(password)) return await findJobCaller(ctx, password)
  const isTokenAsName = password === '' || password === 'x-oauth-basic'
  const caller = await findTokenCaller(ctx, isTokenAsName ? name : password, { fromBasic: true })
  if (caller) return caller
  if (isTokenAsName) throw unauthenticated(wrongLogin)
  const { user, stamp } = await verifyLogin(ctx, name, password)
  return { kind: 'user', user, credential: { kind: 'password', stamp } }
}

const byQueryToken: Resolver = async (ctx, { queryToken }) =>
  queryToken ? await byToken(ctx, queryToken) : undefined

// An expired session counts as none, because the browser keeps sending its cookie.
const bySessionCookie: Resolver = async ({ db, clock, config }, { cookie }) => {
  const secret = readSessionCookie(cookie ?? null, config.baseUrl)
  return secret ? await findSessionCaller(db, secret, clock.now()) : undefined
}

// In order of precedence.
const resolvers: readonly Resolver[] = [byTokenHeader, byBasicHeader, byQueryToken, bySessionCookie]

async function byToken(ctx: AuthCtx, secret: string): Promise<Caller> {
  if (isJobToken(secret)) return await findJobCaller(ctx, secret)
  const caller = await findTokenCaller(ctx, secret, { fromBasic: false })
  if (!caller) throw unauthenticated(wrongLogin)
  return caller
}
