import type pg from 'pg'
import type { OpenDatabase } from './handle'

// The first half of a lock's key says that it is ours; the second half is the hash of its name.
const namespace = 4_711_003

/**
 * Marks a session as one of a name until it ends, as it does with the process that holds it. Gives whether it is the only one.
 */
export async function joinSessions(client: pg.ClientBase, name: string): Promise<boolean> {
  const key = [namespace, name]
  const { rows } = await client.query<{ alone: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as alone',
    key,
  )
  const isAlone = rows[0]?.alone === true
  // Whoever looks at the same instant waits here until the one that was first has joined.
  await client.query('select pg_advisory_lock_shared($1, hashtext($2))', key)
  if (isAlone) await client.query('select pg_advisory_unlock($1, hashtext($2))', key)
  return isAlone
}

/** The session that has a lock. */
export interface LockHolder {
  /** Of the server's process, as `pg_terminate_backend` takes it. */
  pid: number
  /** When it took the lock, by the server's clock; null where the server does not say. */
  since: string | null
}

/** Whether the work ran; the holder is absent if it had ended when it was looked for. */
export type LockedRun = { isDone: true } | { isDone: false; holder?: LockHolder }

/**
 * Runs work while no other process on this database runs work of the same name; runs nothing, and tells who holds the
 * lock, while one does. On a server the lock holds one connection and ends with it: where that is lost, or `cut` is
 * aborted, another process may begin from then on, and the signal that the work is given is aborted. An embedded database
 * has one process alone, so there the work just runs.
 */
export async function withAdvisoryLock(
  { kind, pool }: Pick<OpenDatabase, 'kind' | 'pool'>,
  name: string,
  cut: AbortSignal,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<LockedRun> {
  const lost = new AbortController()
  if (kind === 'embedded') {
    await work(lost.signal)
    return { isDone: true }
  }
  const client = await pool.connect()
  const lose = (): void => lost.abort()
  client.once('error', lose).once('end', lose)
  let isOut = true
  const giveBack = (isFree: boolean): void => {
    // A connection that may still hold the lock is closed, which frees it.
    if (isOut) client.release(!isFree)
    isOut = false
  }
  const cutOff = (): void => {
    lose()
    giveBack(false)
  }
  cut.addEventListener('abort', cutOff)
  let isFree = false
  try {
    cut.throwIfAborted()
    if (!(await lock(client, name))) {
      const holder = await findHolder(client, name)
      isFree = true
      return { isDone: false, ...(holder && { holder }) }
    }
    try {
      await work(lost.signal)
    } finally {
      isFree = isOut && (await unlock(client, name))
    }
    return { isDone: true }
  } finally {
    cut.removeEventListener('abort', cutOff)
    client.off('error', lose).off('end', lose)
    giveBack(isFree)
  }
}

// The session is idle while the work runs. The keepalives let the server notice within two minutes, instead of hours, that
// the machine on the other side is gone; ours, which ask earlier, let us notice before the lock is free.
async function lock(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock($1, hashtext($2)) as locked, set_config('tcp_keepalives_idle', '60', false),
       set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '6', false)`,
    [namespace, name],
  )
  return rows[0]?.locked === true
}

/** Gives up the lock; true if it is surely free. Never throws, so that what the work returned or threw is passed on. */
async function unlock(client: pg.PoolClient, name: string): Promise<boolean> {
  try {
    const { rows } = await client.query<{ unlocked: boolean }>(
      'select pg_advisory_unlock($1, hashtext($2)) as unlocked',
      [namespace, name],
    )
    return rows[0]?.unlocked === true
  } catch {
    return false
  }
}

// The holder's session has been idle since it took the lock.
async function findHolder(client: pg.PoolClient, name: string): Promise<LockHolder | undefined> {
  const { rows } = await client.query<LockHolder>(
    `select pid, state_change::text as since
     from pg_locks left join pg_stat_activity using (pid)
     where locktype = 'advisory' and objsubid = 2 and granted
       and classid = $1::int::oid and objid = hashtext($2)::oid
       and database = (select oid from pg_database where datname = current_database())`,
    [namespace, name],
  )
  return rows[0]
}
