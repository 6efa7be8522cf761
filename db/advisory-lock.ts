import type { OpenDatabase } from './handle'

// Numbers of ours on the server; the second half of a lock's key is its name.
const namespace = 4_711_003

/**
 * Runs work while no other process on this database runs work of the same name; gives false, and runs nothing, while one
 * does. On a server the lock holds one connection and ends with it: where that is lost, another process may begin before
 * this work is done. An embedded database has one process alone, so there the work just runs.
 */
export async function withAdvisoryLock(
  { kind, pool }: Pick<OpenDatabase, 'kind' | 'pool'>,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (kind === 'embedded') {
    await work()
    return true
  }
  const client = await pool.connect()
  const key = [namespace, name]
  let isClean = false
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as locked',
      key,
    )
    const isLocked = rows[0]?.locked === true
    try {
      if (isLocked) await work()
    } finally {
      if (isLocked) await client.query('select pg_advisory_unlock($1, hashtext($2))', key)
      isClean = true
    }
    return isLocked
  } finally {
    // A connection that may still hold the lock is closed, which frees it.
    client.release(!isClean)
  }
}
