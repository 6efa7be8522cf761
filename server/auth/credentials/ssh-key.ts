import { type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import { type Account, accountColumns } from '@/server/kernel/account'
import type { Caller } from '@/server/kernel/caller'
import type { AuthCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'

/** A registered public key that can be used to sign in. */
export interface KnownKey {
  id: number
  title: string
  fingerprint: string
  /** One line in OpenSSH's format. */
  content: string
  /** The person the key belongs to; undefined for a deploy key. */
  owner: Account | undefined
  /** False once the key has expired; for a deploy key, once it has expired for every repository. */
  isCurrent: boolean
  /** When the row was read. */
  asOf: Date
  lastUsedAt: Date | null
}

/** Finds a person's key or a deploy key by its fingerprint, `SHA256:` followed by unpadded base64. */
export async function findKeyByFingerprint(
  db: Db,
  fingerprint: string,
  now: Date,
): Promise<KnownKey | undefined> {
  const row = await keys(db, now).where('public_keys.fingerprint', '=', fingerprint).executeTakeFirst()
  return row && knownKey(row, now)
}

/** Finds keys by ID, ordered by ID. Deleted keys are left out. */
export async function findKeysById(db: Db, ids: readonly number[], now: Date): Promise<KnownKey[]> {
  if (ids.length === 0) return []
  const rows = await keys(db, now)
    .where(sql<SqlBool>`public_keys.id = ${anyOf(ids)}`)
    .orderBy('public_keys.id')
    .execute()
  return rows.map(row => knownKey(row, now))
}

/** Returns the caller that a key identifies; undefined if the key has expired or its owner cannot sign in. */
export function callerOfKey({ id, owner, isCurrent, asOf }: KnownKey): Caller | undefined {
  if (!isCurrent) return undefined
  if (!owner) return { kind: 'deployKey', keyId: id, asOf }
  if (owner.prohibit_login || !owner.is_active) return undefined
  return { kind: 'user', user: owner, credential: { kind: 'sshKey', keyId: id } }
}

/**
 * Finds the caller again by the ID of the SSH key they signed in with.
 * @throws {DomainError} unauthenticated if the key was deleted or has expired, or its owner cannot sign in.
 */
export async function recheckKey(
  { db, clock }: Pick<AuthCtx, 'db' | 'clock'>,
  caller: Caller,
): Promise<Caller | undefined> {
  const keyId = keyIdOf(caller)
  if (keyId === undefined) return undefined
  const [key] = await findKeysById(db, [keyId], clock.now())
  const found = key && callerOfKey(key)
  if (!found) throw unauthenticated('This key no longer grants access.')
  return found
}

function keyIdOf(caller: Caller): number | undefined {
  if (caller.kind === 'deployKey') return caller.keyId
  return caller.kind === 'user' && caller.credential.kind === 'sshKey' ? caller.credential.keyId : undefined
}

const keys = (db: Db, now: Date) =>
  db
    .selectFrom('public_keys')
    .modifyFront(prepared)
    .leftJoin('users', 'users.id', 'public_keys.owner_id')
    .select([
      ...accountColumns,
      'public_keys.id as key_id',
      'public_keys.title as key_title',
      'public_keys.fingerprint as key_fingerprint',
      'public_keys.content as key_content',
      'public_keys.last_used_at as key_last_used_at',
      isCurrent(now).as('key_is_current'),
    ])
    .where('public_keys.type', '<>', 'principal')

const isCurrent = (now: Date) => sql<SqlBool>`case when public_keys.type = 'deploy'
  then exists (select from deploy_keys where deploy_keys.key_id = public_keys.id
    and (deploy_keys.expires_at is null or deploy_keys.expires_at > ${now}))
  else public_keys.expires_at is null or public_keys.expires_at > ${now} end`

type Row = Awaited<ReturnType<ReturnType<typeof keys>['executeTakeFirstOrThrow']>>

function knownKey(row: Row, asOf: Date): KnownKey {
  const {
    key_id: id,
    key_title: title,
    key_fingerprint: fingerprint,
    key_content: content,
    key_last_used_at: lastUsedAt,
    key_is_current,
    ...owner
  } = row
  return {
    id,
    title,
    fingerprint,
    content,
    owner: owner.id === null ? undefined : (owner as Account),
    isCurrent: Boolean(key_is_current),
    asOf,
    lastUsedAt,
  }
}
