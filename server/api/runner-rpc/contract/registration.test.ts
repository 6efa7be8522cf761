import { request } from 'node:http'
import { Code, ConnectError } from '@connectrpc/connect'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { issueRegistrationToken } from '@/server/runners/registration'
import { loadScope } from '@/server/scopes'
import { contextOf } from '@/testing/actions'
import { createFakeRunner, type FakeRunner } from '@/testing/fake-runner'
import { keptLog } from '@/testing/kept-log'
import { makePerson, type Person } from '@/testing/people'
import { openSite, type Site, useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({}, kept.log)
let ada: Person
let token: string

const tokenOf = async (at: Site, person: Person): Promise<string> => {
  const ctx = contextOf(at, person)
  return await issueRegistrationToken(ctx, await loadScope(ctx, { kind: 'own' }))
}

beforeAll(async () => {
  ada = await makePerson(site)
  token = await tokenOf(site, ada)
})

async function register(change: { token?: string; name?: string } = {}): Promise<FakeRunner> {
  const runner = createFakeRunner(site)
  await runner.register({ token, name: 'builder', labels: ['self-hosted'], ...change })
  return runner
}

async function failureOf(call: Promise<unknown>): Promise<[Code, string]> {
  const error = await call.then(
    () => undefined,
    failure => failure,
  )
  if (!(error instanceof ConnectError)) throw new Error('the call did not fail')
  return [error.code, error.rawMessage]
}

describe('a runner registers', () => {
  it.each(['binary', 'json'] as const)(
    'in the format %s, and then declares itself with its secret',
    async format => {
      const runner = createFakeRunner(site, { format })
      const labels = ['self-hosted', 'linux']
      const registered = await runner.register({
        token,
        name: ' builder ',
        labels,
        version: 'v1',
        ephemeral: true,
      })
      expect(registered).toMatchObject({ name: 'builder', version: 'v1', labels, ephemeral: true })
      expect(registered.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(registered.token).toMatch(/^[0-9a-f]{40}$/)
      const declared = await runner.declare(['windows'], { version: 'v2' })
      expect(declared).toMatchObject({
        id: registered.id,
        name: 'builder',
        version: 'v2',
        labels: ['windows'],
      })
      expect(declared.token).toBe('')
    },
  )

  it('with the fields of older versions', async () => {
    const runner = createFakeRunner(site)
    const old = { agentLabels: ['self-hosted'], customLabels: ['linux'] }
    const registered = await runner.register({ token, name: 'builder', ...old })
    expect(registered.labels).toEqual(['self-hosted', 'linux'])
  })

  it('only with a valid token and a name; otherwise the error says what is wrong', async () => {
    expect(await failureOf(register({ token: '' }))).toEqual([Code.InvalidArgument, expect.any(String)])
    expect(await failureOf(register({ name: ' ' }))).toEqual([Code.InvalidArgument, expect.any(String)])
    const unknown = [Code.PermissionDenied, expect.stringMatching(/unknown or was reset/)]
    expect(await failureOf(register({ token: 'x'.repeat(40) }))).toEqual(unknown)
  })
})

describe('an unregistered runner gets unauthenticated', () => {
  const calls: [string, (runner: FakeRunner) => Promise<unknown>][] = [
    ['Declare', runner => runner.declare(['x'])],
    ['FetchTask', runner => runner.fetchTask()],
    ['UpdateTask', runner => runner.updateTask(1n)],
    ['UpdateLog', runner => runner.updateLog(1n, 0, ['x'])],
  ]

  it.each(calls)('from %s', async (_, call) => {
    const known = await register()
    const { uuid = '', token: secret = '' } = known.identity ?? {}
    const wrong = [
      undefined,
      { uuid: '', token: '' },
      { uuid: 'x', token: secret },
      { uuid: crypto.randomUUID(), token: secret },
      { uuid, token: `${secret.slice(0, -1)}x` },
      { uuid, token: '' },
    ]
    for (const identity of wrong) {
      const runner = createFakeRunner(site, identity && { identity })
      expect(await failureOf(call(runner))).toEqual([Code.Unauthenticated, 'unregistered runner'])
    }
  })

  it.each(calls)('from %s after it was deleted', async (_, call) => {
    const runner = await register()
    await runner.declare(['x'])
    await site.db
      .deleteFrom('runners')
      .where('uuid', '=', runner.identity?.uuid ?? '')
      .execute()
    expect(await failureOf(call(runner))).toEqual([Code.Unauthenticated, 'unregistered runner'])
  })

  it('before anything of its message is read', async () => {
    const status = await new Promise(resolve => {
      const path = `${site.url}/api/actions/runner.v1.RunnerService/UpdateLog`
      const headers = { 'content-type': 'application/proto', 'content-length': 50_000_000 }
      const sent = request(path, { method: 'POST', headers }, response => {
        sent.destroy()
        resolve(response.statusCode)
      })
      sent.on('error', () => undefined)
      sent.flushHeaders()
    })
    expect(status).toBe(401)
  })
})

describe('an internal failure', () => {
  it('is reported as unavailable while the database is unavailable', async () => {
    const away = await openSite({}, kept.log)
    try {
      const runner = createFakeRunner(away)
      await runner.register({ token: await tokenOf(away, await makePerson(away)), name: 'builder' })
      await away.services.database.close()
      const response = await fetch(`${away.url}/api/actions/runner.v1.RunnerService/UpdateLog`, {
        method: 'POST',
        headers: {
          'content-type': 'application/proto',
          'x-runner-uuid': runner.identity?.uuid ?? '',
          'x-runner-token': runner.identity?.token ?? '',
        },
      })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await response.json()).toMatchObject({ code: 'unavailable' })
    } finally {
      await away.close().catch(() => undefined)
    }
  })

  it('shows no details if it is unexpected', async () => {
    const runner = await register()
    const spy = vi.spyOn(site.services.clock, 'now').mockImplementation(() => {
      throw new Error('secret detail')
    })
    try {
      const [code, message] = await failureOf(runner.declare(['x']))
      expect([code, message]).toEqual([
        Code.Internal,
        expect.stringMatching(/^internal error \(request [\w-]+\)$/),
      ])
    } finally {
      spy.mockRestore()
    }
  })
})

it('neither the log nor the database contains a secret or token', async () => {
  const runner = await register()
  await runner.declare(['x'])
  const secret = runner.identity?.token ?? ''
  expect(kept.text()).toContain('/api/actions/runner.v1.RunnerService/Declare')
  for (const hidden of [secret, token]) expect(kept.text()).not.toContain(hidden)
  const stored = await site.db.selectFrom('runners').selectAll().execute()
  const tokens = await site.db.selectFrom('runner_registrations').selectAll().execute()
  for (const hidden of [secret, token]) expect(JSON.stringify([stored, tokens])).not.toContain(hidden)
})
