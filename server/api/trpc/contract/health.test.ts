import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { expect, it, vi } from 'vitest'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite({ dataDir: tmpdir(), repositoryDir: tmpdir() })

it('health.get returns the site’s state to administrators only', async () => {
  const root = await makePerson(site, { is_admin: true })
  const at = new Date('2026-01-02T03:04:05Z')
  await site.db
    .insertInto('job_runs')
    .values({
      job: 'sessions.sweep',
      started_at: at,
      ended_at: new Date(at.getTime() + 250),
      outcome: 'failed',
      message: 'no room',
    })
    .execute()
  const { status, data } = await (await signIn(site, root)).query('health.get')
  expect(status).toBe(200)
  expect(data.database).toEqual({
    kind: expect.stringMatching(/^(embedded|server)$/),
    version: expect.stringMatching(/^\d+/),
    bytes: expect.any(Number),
  })
  expect(data.database.bytes).toBeGreaterThan(1_000_000)
  expect(data.processes).toEqual({ running: 1, wanted: 1, memory: expect.any(Number), restarts: 0 })
  const launchers = { stopped: 0, restarts: 0, children: expect.any(Number) }
  expect(data.launchers).toEqual(mount === 'next' ? null : launchers)
  expect(data.data.free).toBeGreaterThan(0)
  const directory = site.services.config.repositoryDir
  expect(data.repositories).toEqual({ directory, free: expect.any(Number), size: expect.any(Number) })
  expect(data.queues).toMatchObject({
    webhooks: { count: expect.any(Number), isMore: false },
    failed_deliveries: { count: expect.any(Number) },
    pushes: expect.any(Number),
  })
  expect(data.jobs.find(({ name }: { name: string }) => name === 'sessions.sweep')).toMatchObject({
    period_ms: 3_600_000,
    last: { duration_ms: 250, outcome: 'failed', message: 'no room' },
  })
  expect(data.problems).toContainEqual(
    expect.objectContaining({ what: 'The last run of sessions.sweep failed.' }),
  )

  const other = await signIn(site, await makePerson(site))
  expect((await other.query('health.get')).status).toBe(403)
})

it('health.get checks again only after ten seconds', async () => {
  const browser = await signIn(site, await makePerson(site, { is_admin: true }))
  const at = new Date('2026-02-03T04:05:06Z')
  const lastRun = async () => {
    const { data } = await browser.query('health.get')
    return data.jobs.find(({ name }: { name: string }) => name === 'storage.sweep').last?.message
  }
  const run = (message: string) =>
    site.db
      .insertInto('job_runs')
      .values({ job: 'storage.sweep', started_at: at, ended_at: at, outcome: 'failed', message })
      .execute()
  const now = new Date(Date.now() + 60_000)
  site.now.set(now)
  await run('first')
  expect(await lastRun()).toBe('first')
  await run('second')
  expect(await lastRun()).toBe('first')
  site.now.set(new Date(now.getTime() + 10_000))
  expect(await lastRun()).toBe('second')
  site.now.set(undefined)
})

it('health.get reports a private address that fifty accounts signed in from', async () => {
  const root = await signIn(site, await makePerson(site, { is_admin: true }))
  const signInFrom = async (address: string, people: number) => {
    for (let count = 0; count < people; count++) {
      const { account } = await makePerson(site)
      await site.db
        .insertInto('sessions')
        .values({
          token_hash: randomBytes(32),
          user_id: account.id,
          remote_address: address,
          expires_at: new Date('2999-01-01'),
        })
        .execute()
    }
  }
  const sharedAt = async (minutes: number) => {
    site.now.set(new Date(Date.now() + minutes * 60_000))
    const { data } = await root.query('health.get')
    site.now.set(undefined)
    return data.shared_address
  }
  await signInFrom('8.8.8.8', 51)
  await signInFrom('10.0.0.2', 49)
  expect(await sharedAt(5)).toBe(null)
  await signInFrom('10.0.0.2', 1)
  expect(await sharedAt(10)).toEqual({ address: '10.0.0.2', accounts: 50 })
})

it('health.get lists first the problem that makes /readyz return 503', async () => {
  const browser = await signIn(site, await makePerson(site, { is_admin: true }))
  site.now.set(new Date(Date.now() + 45 * 60_000))
  const spy = vi.spyOn(site.services.ownLocations, 'findTrouble')
  spy.mockImplementation(async thing => (thing === 'repositories' ? 'cannot be read' : undefined))
  const { data } = await browser.query('health.get')
  spy.mockRestore()
  site.now.set(undefined)
  expect(data.problems[0].what).toBe('The repository directory cannot be read.')
})
