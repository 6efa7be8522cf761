import { openDatabase } from '@/db/client'
import { makeKey, makeUser } from '@/db/testing/factories'
import { newAccessToken } from '@/server/kernel/auth/secret-token'
import type { Ground } from './contestants'

/** Makes a person with 30 keys and a token; gives the token. */
export async function seed(ground: Ground): Promise<string> {
  const { db, close } = await openDatabase(ground)
  const user = await makeUser(db)
  for (let count = 0; count < 30; count++) await makeKey(db, user.id)
  const { secret, hash, lastEight } = newAccessToken()
  await db
    .insertInto('access_tokens')
    .values({
      user_id: user.id,
      name: 'bench',
      scopes: ['all'],
      token_hash: hash,
      token_last_eight: lastEight,
    })
    .execute()
  await close()
  return secret
}
