import { createHash, randomBytes } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../handle'
import type { PublicKeysTable } from '../tables/public-keys'
import type { UsersTable } from '../tables/users'

let count = 0

// The counter reads well in a failure; the random part keeps workers on one database apart.
const nextName = (kind: string): string => `${kind}-${++count}-${randomBytes(4).toString('hex')}`

/** Adds a person who can be told from all others; without a password, so nobody signs in by accident. */
export function makeUser(
  db: Db,
  overrides: Partial<Insertable<UsersTable>> = {},
): Promise<Selectable<UsersTable>> {
  const name = overrides.name ?? nextName('user')
  return db
    .insertInto('users')
    .values({ name, email: `${name}@example.test`, ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds an Ed25519 key of its own; the content has the right form, but nobody holds the private half. */
export function makeKey(
  db: Db,
  ownerId: number | null,
  overrides: Partial<Insertable<PublicKeysTable>> = {},
): Promise<Selectable<PublicKeysTable>> {
  const blob = ed25519Blob()
  return db
    .insertInto('public_keys')
    .values({
      owner_id: ownerId,
      title: nextName('key'),
      content: `ssh-ed25519 ${blob.toString('base64')}`,
      fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function ed25519Blob(): Buffer {
  const field = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  return Buffer.concat([field(Buffer.from('ssh-ed25519')), field(randomBytes(32))])
}
