import { type Db, openDatabase } from '@/db/client'
import { makeKey, makeUser } from '@/db/testing/factories'
import { newAccessToken } from '@/server/auth/credentials/secret-token'
import type { ServerData } from './server-process'

/**
 * Access tokens of the test data: one for the user whose 30 SSH keys are read, and many for the users who add
 * keys, because the number of keys per user is limited.
 */
export interface Tokens {
  reader: string
  adders: string[]
}

const adders = 200

export async function seed(data: ServerData): Promise<Tokens> {
  const { db, close } = await openDatabase(data)
  const reader = await makeUser(db)
  for (let count = 0; count < 30; count++) await makeKey(db, reader.id)
  const tokens: Tokens = { reader: await tokenFor(db, reader.id), adders: [] }
  for (let count = 0; count < adders; count++) {
    tokens.adders.push(await tokenFor(db, (await makeUser(db)).id))
  }
  await close()
  return tokens
}

/** Creates an access token with every scope for a user. */
export async function tokenFor(db: Db, userId: number): Promise<string> {
  const { secret, hash, lastEight } = newAccessToken()
  await db
    .insertInto('access_tokens')
    .values({
      user_id: userId,
      name: 'bench',
      scopes: ['all'],
      token_hash: hash,
      token_last_eight: lastEight,
    })
    .execute()
  return secret
}
