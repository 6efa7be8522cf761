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
  /** Of the password, as a credential has it. */
  stamp: string
  /** A token with every scope. */
  token: string
}

const password = 'correct horse battery'
// The same hash for everybody: hashing anew for each person would be most of the tests' time.
const hashed = hashPassword(password)

/** Somebody with a password and a token, written straight into the database. */
export async function makePerson(
  site: Site,
  overrides: Parameters<typeof makeUser>[1] = {},
): Promise<Person> {
  const made = await makeUser(site.db, { password_hash: await hashed, ...overrides })
  const account = await findAccountById(site.db, made.id)
  if (!account) throw new Error('the account just made is not there')
  const stamp = hashSecret(await hashed).toString('base64')
  return { account, name: account.name, password, stamp, token: await makeToken(site, account.id, ['all']) }
}

/** Basic credentials of a person: what the token endpoints ask for. */
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

/** Where people sign in from outside; gives its id. */
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
