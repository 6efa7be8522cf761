import { randomUUID } from 'node:crypto'
import { makeUser } from '@/db/testing/factories'
import { hashPassword } from '@/server/auth/credentials/password'
import { hashSecret, newAccessToken } from '@/server/auth/credentials/secret-token'
import { type Account, findAccountById } from '@/server/kernel/account'
import type { Scope } from '@/server/kernel/scopes'
import type { Site } from './site'

export interface Person {
  account: Account
  name: string
  password: string
  /** The stamp that identifies the current password in credentials. */
  stamp: string
  /** An access token with every scope. */
  token: string
}

const password = 'correct horse battery'
// Everyone has the same password hash, because hashing is so slow that it would take most of the tests' time.
const hashed = hashPassword(password)

/** Creates a user with a password and an access token, directly in the database. */
export async function makePerson(
  site: Site,
  overrides: Parameters<typeof makeUser>[1] = {},
): Promise<Person> {
  const made = await makeUser(site.db, { password_hash: await hashed, ...overrides })
  const account = await findAccountById(site.db, made.id)
  if (!account) throw new Error('the account that was just created does not exist')
  const stamp = hashSecret(await hashed).toString('base64')
  return { account, name: account.name, password, stamp, token: await makeToken(site, account.id, ['all']) }
}

/**
 * Returns a person's username and password for Basic authentication, which the endpoints for access tokens
 * require.
 */
export const withPassword = ({ name, password }: Person): { basic: [string, string] } => ({
  basic: [name, password],
})

export async function makeToken(site: Site, userId: number, scopes: Scope[]): Promise<string> {
  const { secret, hash, lastEight } = newAccessToken()
  const name = `token ${lastEight}`
  await site.db
    .insertInto('access_tokens')
    .values({ user_id: userId, name, scopes, token_hash: hash, token_last_eight: lastEight })
    .execute()
  return secret
}

/** Creates an external login source, such as LDAP, and returns its ID. */
export async function makeLoginSource(
  site: Site,
  source: { type?: 'ldap' | 'oidc'; providesSshKeys?: boolean } = {},
): Promise<number> {
  const { type = 'ldap', providesSshKeys = false } = source
  const name = `${type} ${randomUUID()}`
  const { id } = await site.db
    .insertInto('login_sources')
    .values({ name, type, provides_ssh_keys: providesSshKeys })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
