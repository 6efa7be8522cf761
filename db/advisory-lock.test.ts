import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAdvisoryLock } from './advisory-lock'
import type { OpenDatabase } from './handle'
import { openServer } from './server/open'
import { startPostgres } from './testing/postgres-server'
import { createServerDatabase } from './testing/server-template'

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('an advisory lock on a server', () => {
  let fresh: Awaited<ReturnType<typeof createServerDatabase>>
  let here: OpenDatabase
  let there: OpenDatabase
  beforeAll(async () => {
    fresh = await createServerDatabase(server!.url)
    here = await openServer(fresh.url, { poolSize: 1 })
    there = await openServer(fresh.url, { poolSize: 1 })
  })
  afterAll(async () => {
    await here.close()
    await there.close()
    await fresh.drop()
  })

  const never = new AbortController().signal
  /**
   * Terminates the connection that has the lock, as a server restart does, and waits until the server has
   * released the lock.
   */
  const endHolder = () =>
    there.pool.query(`select pg_terminate_backend(pid, 10000) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)

  it('reports the session that already has it and does not run the work', async () => {
    await withAdvisoryLock(here, 'a', never, async () => {
      const refused = await withAdvisoryLock(there, 'a', never, async () => expect.unreachable())
      const since = expect.stringMatching(/^\d{4}-/)
      expect(refused).toEqual({ isDone: false, holder: { pid: expect.any(Number), since } })
      expect(await withAdvisoryLock(there, 'a', never, async () => expect.unreachable())).toEqual(refused)
      expect(await withAdvisoryLock(there, 'b', never, async () => undefined)).toEqual({ isDone: true })
    })
    expect(await withAdvisoryLock(there, 'a', never, async () => undefined)).toEqual({ isDone: true })
  })

  it('does not fail work that succeeded, even if its connection was lost', async () => {
    const result = await withAdvisoryLock(here, 'a', never, async () => void (await endHolder()))
    expect(result).toEqual({ isDone: true })
    expect((await here.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('signals the work immediately when its connection is lost', async () => {
    await withAdvisoryLock(here, 'a', never, async lost => {
      expect(lost.aborted).toBe(false)
      const reported = new Promise(resolve => lost.addEventListener('abort', resolve))
      await endHolder()
      await reported
    })
  })

  it('rethrows the work’s error, even if its connection was lost', async () => {
    const failed = withAdvisoryLock(here, 'a', never, async () => {
      await endHolder()
      throw new Error('the disk is full')
    })
    await expect(failed).rejects.toThrow('the disk is full')
  })

  it('is released with its connection if the caller aborts it, even while the work continues', async () => {
    const cut = new AbortController()
    let reported = 0
    let end = () => {}
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const working = withAdvisoryLock(
      here,
      'a',
      cut.signal,
      lost =>
        new Promise<void>(resolve => {
          lost.addEventListener('abort', () => reported++)
          end = resolve
          begin()
        }),
    )
    await begun
    expect(await withAdvisoryLock(there, 'a', never, async () => undefined)).toMatchObject({ isDone: false })
    cut.abort()
    await expect
      .poll(() => withAdvisoryLock(there, 'a', never, async () => undefined))
      .toEqual({ isDone: true })
    expect(reported).toBe(1)
    end()
    expect(await working).toEqual({ isDone: true })
    await expect(withAdvisoryLock(here, 'a', cut.signal, async () => expect.unreachable())).rejects.toThrow()
    expect((await here.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('uses TCP keepalives that detect an unreachable holder within two minutes', async () => {
    await withAdvisoryLock(here, 'a', never, async () => undefined)
    const { rows } = await here.pool.query(`select current_setting('tcp_keepalives_idle')::int as idle,
      current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as asking`)
    expect(rows).toEqual([{ idle: 60, asking: 60 }])
  })
})
