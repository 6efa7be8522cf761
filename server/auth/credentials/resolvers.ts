import type { Caller, UserCaller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { parseAuthorization } from '../authorization-header'
import { findTokenHolder, type TokenHolder } from './access-token'
import { findJobCaller, isJobToken } from './job-token'
import { verifyLogin, wrongLogin } from './password'
import { findSessionCaller } from './session'
import { readSessionCookie } from './session-cookie'

export type AuthCtx = Omit<ServiceCtx, 'caller'>

/** What a request shows of who sends it: the parts that its transport takes credentials from. */
export interface Presented {
  /** The Authorization header. */
  authorization?: string | null
  /** The token in the query. */
  queryToken?: string | null
  /** The Cookie header. */
  cookie?: string | null
}

/**
 * Finds the caller by one kind of credential. Returns undefined when none of that kind is presented.
 * @throws {DomainError} unauthenticated for one that does not hold, where that must be told.
 */
type Resolver = (ctx: AuthCtx, presented: Presented) => Promise<Caller | undefined>

const tokenHeader: Resolver = async (ctx, { authorization }) => {
  const found = parseAuthorization(authorization ?? null)
  if (found === 'malformed') throw unauthenticated(wrongLogin)
  return found?.kind === 'token' ? await byToken(ctx, found.secret) : undefined
}

// A token may stand in either half: as the password with any name, or as the name with a filler password. That of a job is the
// password.
const basic: Resolver = async (ctx, { authorization }) => {
  const found = parseAuthorization(authorization ?? null)
  if (found === 'malformed' || found?.kind !== 'basic') return undefined
  const { name, password } = found
  if (isJobToken(password)) return await findJobCaller(ctx, password)
  const asName = password === '' || password === 'x-oauth-basic'
  const holder = await findTokenHolder(ctx.db, asName ? name : password, ctx.clock.now())
  if (holder) return tokenCaller(holder, true)
  if (asName) throw unauthenticated(wrongLogin)
  const { user, stamp } = await verifyLogin(ctx, name, password)
  return { kind: 'user', user, credential: { kind: 'password', stamp } }
}

const queryToken: Resolver = async (ctx, presented) =>
  presented.queryToken ? await byToken(ctx, presented.queryToken) : undefined

// A session that is over is like none: the browser still sends its cookie.
const sessionCookie: Resolver = async ({ db, clock, config }, { cookie }) => {
  const secret = readSessionCookie(cookie ?? null, config.baseUrl)
  return secret ? await findSessionCaller(db, secret, clock.now()) : undefined
}

/** Every kind of credential; the first that is presented decides. */
export const resolvers: readonly Resolver[] = [tokenHeader, basic, queryToken, sessionCookie]

async function byToken(ctx: AuthCtx, secret: string): Promise<Caller> {
  if (isJobToken(secret)) return await findJobCaller(ctx, secret)
  const holder = await findTokenHolder(ctx.db, secret, ctx.clock.now())
  if (!holder) throw unauthenticated(wrongLogin)
  return tokenCaller(holder, false)
}

/** Makes the caller of the holder of a token. */
export const tokenCaller = ({ user, ...token }: TokenHolder, fromBasic: boolean): UserCaller => ({
  kind: 'user',
  user,
  credential: { kind: 'token', ...token, fromBasic },
})
