import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type Account, accountColumns } from '@/server/kernel/account'
import type { Caller, UserCaller } from '@/server/kernel/caller'
import type { AuthCtx, ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { maxPasswordLength } from '@/server/kernel/password-length'
import { hashSecret } from './secret-token'

/** Message of every refused credential, the same for every cause. */
export const wrongLogin = 'invalid username, password or token'

type LoginCtx = Pick<ServiceCtx, 'db' | 'loginLimiter' | 'remoteAddress' | 'disconnected' | 'clock'>
type Login = Account & { password_hash: string | null }

/** An account whose password was correct. */
export interface VerifiedLogin {
  user: Account
  /** Hash that changes with the password and reveals nothing about it. */
  stamp: string
}

/**
 * Checks a username or email address and a password against the stored hash, and counts failures.
 * @throws {DomainError} unauthenticated, with one message for every cause; tooManyRequests after repeated failures.
 */
export async function verifyLogin(ctx: LoginCtx, login: string, password: string): Promise<VerifiedLogin> {
  const { loginLimiter, remoteAddress: address, disconnected } = ctx
  const fits = loginLimiter.recent.find(login, password, ctx.clock.now())
  if (!fits) loginLimiter.refuseBlocked(login, address)
  const found = await findLogin(ctx, login)
  if (found && fits?.(found)) return verified(found)
  // One count for username and email address: knowing both must not double the number of guesses.
  const subject = found ? `account ${found.id}` : `login ${login.toLowerCase()}`
  const attempt = { login, subject, address, disconnected }
  const matched = await loginLimiter.guard(attempt, () => match(ctx, login, password))
  if (!matched) throw unauthenticated(wrongLogin)
  return verified(matched)
}

// Read again, because the account may have changed while this waited in the queue.
async function match(ctx: LoginCtx, login: string, password: string): Promise<Login | undefined> {
  const found = await findLogin(ctx, login)
  const matches = await passwordMatches(found?.password_hash, password.slice(0, maxPasswordLength + 1))
  if (!found || !matches) return undefined
  ctx.loginLimiter.recent.add(login, password, found, ctx.clock.now())
  return found
}

/** Finds the caller again by their password; undefined if it was changed since. Nothing is hashed. */
export async function recheckPassword(
  { db }: Pick<AuthCtx, 'db'>,
  caller: Caller,
): Promise<UserCaller | undefined> {
  if (caller.kind !== 'user' || caller.credential.kind !== 'password' || !caller.credential.stamp)
    return undefined
  const found = await logins(db).where('users.id', '=', caller.user.id).executeTakeFirst()
  const now = found && verified(withOwnHash(found))
  if (!now || now.stamp !== caller.credential.stamp) return undefined
  return { kind: 'user', user: now.user, credential: caller.credential }
}

function verified({ password_hash, ...user }: Login): VerifiedLogin {
  return { user, stamp: hashSecret(password_hash ?? '').toString('base64') }
}

async function findLogin(ctx: LoginCtx, login: string): Promise<Login | undefined> {
  if (login.includes('\0')) return undefined
  const column = login.includes('@') ? sql`lower(users.email)` : sql`lower(users.name)`
  const found = await logins(ctx.db).where(column, '=', login.toLowerCase()).executeTakeFirst()
  return found && withOwnHash(found)
}

const logins = (db: Db) =>
  db
    .selectFrom('users')
    .select([...accountColumns, 'users.password_hash'])
    .where('users.kind', '=', 'person')

// An account that signs in with a directory may still have a hash from before.
const withOwnHash = (found: Login): Login => ({
  ...found,
  password_hash: found.login_type === 'local' ? found.password_hash : null,
})

// The package's enum is const, which isolated modules cannot read.
const argon2id = 2
const hashOptions = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Loaded by the first password.
const loadArgon2 = () => import('@node-rs/argon2')

/** Hashes a password with argon2id, salted, as `users.password_hash` stores it. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2()
  return await hash(password, hashOptions)
}

let decoy: Promise<string> | undefined

// Takes the same time without a hash, so that the response time does not reveal whether an account exists.
async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const { verify } = await loadArgon2()
  decoy ??= hashPassword('no account has this password')
  const matches = await verify(stored ?? (await decoy), password)
  return matches && stored != null
}
