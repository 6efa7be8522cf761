import type pg from 'pg'
import type { OpenDatabase } from './handle'

// The first half of a lock's key identifies Guildhall; the second half is the hash of the lock's name.
const namespace = 4_711_003

/**
 * Registers a session under a name, with a shared advisory lock that ends with the session. Returns whether
 * it is the only session registered under that name.
 */
export async function joinSessions(client: pg.ClientBase, name: string): Promise<boolean> {
  const key = [namespace, name]
  const { rows } = await client.query<{ alone: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as alone',
    key,
  )
  const isAlone = rows[0]?.alone === true
  // A concurrent caller waits here until the first one has registered.
  await client.query('select pg_advisory_lock_shared($1, hashtext($2))', key)
  if (isAlone) await client.query('select pg_advisory_unlock($1, hashtext($2))', key)
  return isAlone
}

/** A session that has acquired an advisory lock. */
export interface LockHolder {
  /** ID of the session's server process, as `pg_terminate_backend` expects it. */
  pid: number
  /** When the session acquired the lock, by the server's clock; null if the server does not report it. */
  since: string | null
}

/**
 * Whether the work ran. If it did not, `holder` is the session that has the lock; absent if it has ended
 * since.
 */
export type LockedRun = { isDone: true } | { isDone: false; holder?: LockHolder }

/**
 * Runs work unless another process on this database is running work under the same name. In that case, runs
 * nothing and returns the session that has the lock. On a server, the lock belongs to one connection and ends
 * with it: if the connection is lost or `cut` is aborted, the signal passed to the work is aborted, and
 * another process can start. An embedded database has only one process, so there the work runs without a
 * lock.
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
    // A connection that might still have the lock is closed, which releases the lock.
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

// The session is idle while the work runs. TCP keepalives let the server detect an unreachable client within
// two minutes instead of hours. The client sends its own earlier, so this process detects a lost connection
// before the server releases the lock.
async function lock(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock($1, hashtext($2)) as locked, set_config('tcp_keepalives_idle', '60', false),
       set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '6', false)`,
    [namespace, name],
  )
  return rows[0]?.locked === true
}

/**
 * Releases the lock; returns true if it is certainly released. Never throws, so that the caller gets the
 * result or error of the work.
 */
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

// `state_change` is when the holder acquired the lock, because its session has been idle since.
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
