import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { type RunningWorkers, startWorkers } from '@/server/jobs/workers'
import { call } from '@/testing/call'
import { makeDelivery, makeHook } from '@/testing/hooks'
import { makePerson, type Person } from '@/testing/people'
import { answerWith, openReceiver, type Receiver } from '@/testing/receiver'
import { mount, useSite } from '@/testing/site'
import { statusAndMessage } from '@/testing/team-cast'

const site = useSite()

let ada: Person
let org: { id: number; name: string }
let hooks: string
let receiver: Receiver
let workers: RunningWorkers
beforeAll(async () => {
  workers = startWorkers(site.services)
})
afterAll(() => workers.stop())
beforeEach(async () => {
  receiver = await openReceiver()
  ada = await makePerson(site)
  org = await makeOrg(site.db, ada.account.id)
  hooks = `/orgs/${org.name}/hooks`
})
afterEach(() => receiver.close())

const get = async (path: string) => (await call(site, 'GET', path, { as: ada })).body
const post = (path: string, body?: object) => call(site, 'POST', path, { as: ada, body })

/** Creates a webhook through the API and returns its path. */
async function addHook(
  body: { config?: object; at?: string } & Record<string, unknown> = {},
): Promise<string> {
  const { config, at = hooks, ...rest } = body
  const { body: hook } = await post(at, {
    type: 'gitea',
    active: true,
    events: ['repository'],
    ...rest,
    config: { url: `${receiver.url}/hook`, content_type: 'json', ...config },
  })
  return `${at}/${hook.id}`
}

const addRepository = async (name: string, options: object = {}) => {
  const { body } = await post(`/orgs/${org.name}/repos`, { name, ...options })
  return `/repos/${body.full_name}`
}

/** Waits until the newest delivery of a webhook matches the fields, and returns its details. */
async function delivery(hook: string, expected: object) {
  await expect
    .poll(async () => (await get(`${hook}/deliveries`))[0], { timeout: 10_000 })
    .toMatchObject(expected)
  const [newest] = await get(`${hook}/deliveries`)
  return await get(`${hook}/deliveries/${newest.id}`)
}

describe.skipIf(mount === 'next')('webhook deliveries', () => {
  it('arrive in Gitea’s format, with Gitea’s and the standard’s signature', async () => {
    const secret = `whsec_${Buffer.from('thirty-two bytes of a random key').toString('base64')}`
    const hook = await addHook({ config: { secret }, authorization_header: 'Bearer token' })
    const repository = await addRepository('engine')
    const [sent] = await receiver.got(1)
    const { headers, body } = sent!
    expect(sent).toMatchObject({ method: 'POST', path: '/hook' })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-gitea-event': 'repository',
      'x-gitea-event-type': 'repository',
      'x-github-hook-installation-target-type': 'organization',
      'x-guildhall-sequence': '1',
      'x-guildhall-attempt': '1',
      authorization: 'Bearer token',
    })
    const signature = Buffer.from(String(headers['x-gitea-signature']), 'hex')
    expect(timingSafeEqual(signature, createHmac('sha256', secret).update(body).digest())).toBe(true)
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(payload).toMatchObject({ action: 'created', repository: { full_name: repository.slice(7) } })
    const kept = await delivery(hook, { status: 'delivered' })
    expect(kept).toMatchObject({
      guid: headers['x-gitea-delivery'],
      kind: 'event',
      event: 'repository',
      sequence: 1,
      status_code: 200,
      error: null,
      attempt_count: 1,
      redelivery: false,
      delivered_at: kept.attempts[0].started_at,
      next_attempt_at: null,
      content_type: 'application/json',
      payload: body,
    })
    expect(kept.attempts).toMatchObject([
      {
        number: 1,
        cause: 'first',
        url: `${receiver.url}/hook`,
        request: { headers: { Authorization: '******', 'X-Gitea-Event': 'repository' } },
        response: { status_code: 200, payload: '', truncated: false },
        error: null,
      },
    ])
    expect(JSON.stringify(kept)).not.toContain('Bearer token')
  })

  it('are sent as a form if the webhook is configured so, and logged byte for byte', async () => {
    const hook = await addHook({ config: { content_type: 'form' } })
    await addRepository('engine')
    const [sent] = await receiver.got(1)
    expect(sent?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(JSON.parse(new URLSearchParams(sent?.body).get('payload')!)).toMatchObject({ action: 'created' })
    expect((await delivery(hook, { status: 'delivered' })).payload).toBe(sent?.body)
  })

  it('can be verified with the new secret, and by the standard signature also with the replaced one', async () => {
    const hook = await addHook({ config: { content_type: 'form', secret: 'the former secret' } })
    await call(site, 'PATCH', hook, { as: ada, body: { config: { secret: 'the new secret' } } })
    await addRepository('engine')
    const [sent] = await receiver.got(1)
    const { headers, body } = sent!
    const json = new URLSearchParams(body).get('payload')!
    expect(headers['x-gitea-signature']).toBe(
      createHmac('sha256', 'the new secret').update(json).digest('hex'),
    )
    for (const secret of ['the new secret', 'the former secret']) {
      const library = new Webhook(secret, { format: 'raw' })
      library.verify(body, headers as Record<string, string>, { jsonParse: false })
    }
  })

  it('log why they failed and when they will be retried', async () => {
    receiver.answer(answerWith(500, { 'X-Why': 'bad day' }, 'no'))
    const hook = await addHook()
    await addRepository('engine')
    const kept = await delivery(hook, { status: 'pending', attempt_count: 1 })
    expect(kept).toMatchObject({ status_code: 500, error: 'answered 500', delivered_at: null })
    expect(Date.parse(kept.next_attempt_at)).toBeGreaterThan(Date.parse(kept.attempts[0].started_at))
    expect(kept.attempts[0].response).toMatchObject({ payload: 'no', headers: { 'x-why': 'bad day' } })
  })

  it('are never sent to a forbidden address, and log the reason', async () => {
    const hook = await addHook({ config: { url: 'http://169.254.169.254/latest' } })
    await addRepository('engine')
    const kept = await delivery(hook, { status: 'pending', attempt_count: 1 })
    expect(kept.error).toMatch(/^denied: 169\.254\.169\.254 is link-local, which /)
    expect(kept.attempts[0].response).toBeNull()
  })
})

describe.skipIf(mount === 'next')('redelivery', () => {
  it('sends the same delivery under the same ID', async () => {
    const hook = await addHook()
    await addRepository('engine')
    const first = await delivery(hook, { status: 'delivered' })
    const answer = await post(`${hook}/deliveries/${first.id}/attempts`)
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ id: first.id, guid: first.guid, status: 'pending' })
    const [one, two] = await receiver.got(2)
    expect(two?.body).toBe(one?.body)
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
    expect(two?.headers['x-guildhall-attempt']).toBe('2')
    const kept = await delivery(hook, { status: 'delivered', attempt_count: 2, redelivery: true })
    expect(kept.attempts.map(({ cause }: { cause: string }) => cause)).toEqual(['first', 'redelivery'])
  })

  it('retries a pending delivery immediately and keeps its retry schedule', async () => {
    receiver.answer(answerWith(500))
    const hook = await addHook()
    await addRepository('engine')
    const { id, guid } = await delivery(hook, { status: 'pending', attempt_count: 1 })
    const answer = await post(`${hook}/deliveries/${id}/attempts`)
    expect([answer.status, answer.body.guid]).toEqual([202, guid])
    const kept = await delivery(hook, { status: 'pending', attempt_count: 2 })
    expect([kept.attempts[1].cause, kept.redelivery]).toEqual(['manual_retry', true])
    const waitMs = Date.parse(kept.next_attempt_at) - Date.parse(kept.attempts[1].started_at)
    expect(waitMs).toBeGreaterThan(3 * 60_000)
  })

  it('does not change a delivery that is being sent', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const now = site.services.clock.now()
    const sending = { next_attempt_at: now, leased_until: new Date(now.getTime() + 60_000) }
    const id = await makeDelivery(site, hook, { ...sending, status: 'pending' })
    expect((await post(`${hooks}/${hook.id}/deliveries/${id}/attempts`)).body).toMatchObject({ id })
    const row = await site.db
      .selectFrom('hook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toMatchObject({ ...sending, cause: 'first' })
  })

  it('is limited to 2,000 deliveries of a webhook per minute', async () => {
    const made = await makeHook(site, { owner_id: org.id })
    const id = await makeDelivery(site, made, { status: 'failed' })
    await site.services.loginLimiter.countRedeliveries(made.id, 2000)
    const path = `${hooks}/${made.id}`
    const refused = [
      await post(`${path}/deliveries/${id}/attempts`),
      await post(`${path}/replay`, { since: '2026-01-01T00:00:00Z' }),
    ]
    expect(refused.map(({ status, headers }) => [status, Number(headers.get('retry-after')) > 0])).toEqual([
      [429, true],
      [429, true],
    ])
    expect((await get(`${path}/deliveries/${id}`)).status).toBe('failed')
  })

  it('uses the webhook’s current URL, even if the webhook is inactive', async () => {
    const hook = await addHook({ config: { url: 'http://127.0.0.1:9/' } })
    await addRepository('engine')
    const { id } = await delivery(hook, { status: 'pending', attempt_count: 1 })
    const changes = { active: false, config: { url: `${receiver.url}/new` } }
    await call(site, 'PATCH', hook, { as: ada, body: changes })
    await post(`${hook}/deliveries/${id}/attempts`)
    const [sent] = await receiver.got(1)
    expect(sent?.path).toBe('/new')
    await delivery(hook, { status: 'delivered' })
  })

  it('replays the failed deliveries of a time window, each time it is requested', async () => {
    const made = await makeHook(site, { owner_id: org.id })
    await call(site, 'PATCH', `${hooks}/${made.id}`, { as: ada, body: { config: { url: receiver.url } } })
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const failed = { status: 'failed' } as const
    const ids: number[] = []
    for (const hour of [1, 2, 3, 4])
      ids.push(await makeDelivery(site, made, { ...failed, created_at: at(hour) }))
    await makeDelivery(site, made, { created_at: at(2) })
    await makeDelivery(site, made, {
      ...failed,
      event: 'release',
      event_type: 'release',
      created_at: at(2),
    })
    const window = { since: at(2).toISOString(), until: at(4).toISOString(), event: 'push' }
    const answer = await post(`${hooks}/${made.id}/replay`, { ...window, limit: 1 })
    expect([answer.status, answer.body]).toEqual([202, { count: 1, next: ids[1] }])
    await receiver.got(1)
    expect((await post(`${hooks}/${made.id}/replay`, window)).body).toEqual({ count: 1, next: null })
    await receiver.got(2)
    await expect
      .poll(async () => (await get(`${hooks}/${made.id}/deliveries/${ids[2]}`)).attempts[0])
      .toMatchObject({ cause: 'replay', number: 1 })
    const all = { since: at(0).toISOString(), until: at(9).toISOString(), status: 'all' }
    expect((await post(`${hooks}/${made.id}/replay`, all)).body).toEqual({ count: 6, next: null })
    await receiver.got(8)
  })

  it('reports the first of two invalid times with 422', async () => {
    const made = await makeHook(site, { owner_id: org.id })
    const answer = await post(`${hooks}/${made.id}/replay`, { since: 'x', until: 'x' })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('[Since]')])
  })

  it('sends each delivery of a window once if the window takes several requests, regardless of their outcome', async () => {
    const made = await makeHook(site, { owner_id: org.id })
    await call(site, 'PATCH', `${hooks}/${made.id}`, { as: ada, body: { config: { url: receiver.url } } })
    const ids: number[] = []
    for (const created_at of [new Date('2026-01-02'), new Date('2026-01-03'), new Date('2026-01-03')]) {
      ids.push(await makeDelivery(site, made, { created_at }))
    }
    const window = { since: '2026-01-01T00:00:00Z', status: 'delivered', limit: 1 }
    let cursor: number | null = null
    for (const [at, next] of [ids[0], ids[1], null].entries()) {
      const body: object = cursor === null ? window : { ...window, cursor }
      expect((await post(`${hooks}/${made.id}/replay`, body)).body).toEqual({ count: 1, next })
      await receiver.got(at + 1)
      const ofIt = { id: ids[at], status: 'delivered', attempt_count: 1 }
      await expect.poll(() => get(`${hooks}/${made.id}/deliveries/${ids[at]}`)).toMatchObject(ofIt)
      cursor = next ?? null
    }
    expect(receiver.calls).toHaveLength(3)
  })

  it('includes pending deliveries of the window if requested, and retries them immediately', async () => {
    const made = await makeHook(site, { owner_id: org.id })
    await call(site, 'PATCH', `${hooks}/${made.id}`, { as: ada, body: { config: { url: receiver.url } } })
    const waits = { status: 'pending', next_attempt_at: new Date('2100-01-01') } as const
    const ids = [await makeDelivery(site, made, waits), await makeDelivery(site, made, waits)]
    const replay = async (status: string, limit = 10) =>
      (await post(`${hooks}/${made.id}/replay`, { since: '2026-01-01T00:00:00Z', status, limit })).body
    expect(await replay('failed')).toEqual({ count: 0, next: null })
    expect(await replay('pending', 1)).toEqual({ count: 1, next: ids[0] })
    await receiver.got(1)
    expect(await replay('pending')).toEqual({ count: 1, next: null })
    await receiver.got(2)
    await delivery(`${hooks}/${made.id}`, { id: ids[1], status: 'delivered' })
    const waiting = await makeDelivery(site, made, waits)
    await delivery(`${hooks}/${made.id}`, { id: waiting, status: 'pending' })
    expect(await replay('all')).toEqual({ count: 3, next: null })
  })

  it('rejects a window of an inactive webhook, without a start, or with an end before its start', async () => {
    const hook = await addHook({ active: false })
    const window = { since: '2026-01-01T00:00:00Z' }
    const refused = await post(`${hook}/replay`, window)
    expect([refused.status, refused.body.message]).toEqual([422, 'The webhook is not active.'])
    for (const body of [undefined, {}, { since: '' }]) {
      expect((await post(`${hook}/replay`, body)).status).toBe(422)
    }
    expect((await post(`${hook}/replay`, { since: 'yesterday' })).status).toBe(422)
    expect((await post(`${hook}/replay`, { ...window, event: 'a\0b' })).status).toBe(422)
    expect((await post(`${hook}/replay`, { ...window, limit: 1001 })).status).toBe(422)
    for (const until of ['2025-12-31T23:59:59Z', window.since]) {
      expect(statusAndMessage(await post(`${hook}/replay`, { ...window, until }))).toEqual([
        422,
        `[Until]: until (${new Date(until).toISOString()}) must be later than since (2026-01-01T00:00:00.000Z).`,
      ])
    }
  })
})

describe.skipIf(mount === 'next')('pings, tests, and dry runs', () => {
  it('describe the webhook in a ping, even if it is inactive', async () => {
    const hook = await addHook({ active: false })
    expect((await post(`${hook}/pings`)).status).toBe(204)
    const [sent] = await receiver.got(1)
    expect(sent?.headers['x-github-event']).toBe('ping')
    expect(JSON.parse(sent!.body)).toMatchObject({
      hook: { config: { url: `${receiver.url}/hook` }, active: false },
      organization: { username: org.name },
      sender: { login: ada.name },
    })
    expect(await delivery(hook, { status: 'delivered' })).toMatchObject({ kind: 'ping', event_id: null })
  })

  it('show users in a ping as outsiders see them', async () => {
    const { body: repository } = await post('/user/repos', { name: 'own' })
    await post(`${await addHook({ at: `/repos/${repository.full_name}/hooks` })}/pings`)
    const [sent] = await receiver.got(1)
    const ping = JSON.parse(sent!.body)
    const email = expect.stringContaining('@noreply.')
    expect(ping).toMatchObject({ sender: { email }, repository: { owner: { login: ada.name, email } } })
    expect(sent?.body).not.toContain(ada.account.email)
  })

  it('are limited to ten pings and tests of a webhook per minute', async () => {
    const hook = await addHook()
    for (let count = 0; count < 10; count++) expect((await post(`${hook}/pings`)).status).toBe(204)
    const refused = [await post(`${hook}/pings`), await post(`${hook}/tests`)]
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '60'],
      [429, '60'],
    ])
    expect((await post(`${await addHook()}/pings`)).status).toBe(204)
  })

  it('send a push of the repository’s newest commit, or of a ref, as a test', async () => {
    const repository = await addRepository('engine', { auto_init: true })
    const hook = await addHook({ at: `${repository}/hooks` })
    expect((await post(`${hook}/tests`)).status).toBe(204)
    const [sent] = await receiver.got(1)
    const push = JSON.parse(sent!.body)
    expect(sent?.headers).toMatchObject({ 'x-gitea-event': 'push' })
    expect(push).toMatchObject({ ref: 'refs/heads/main', total_commits: 1, pusher: { login: ada.name } })
    expect(push.after).toMatch(/^[0-9a-f]{40}$/)
    expect(push.before).toBe(push.after)
    expect(push.commits).toMatchObject([{ id: push.after, message: expect.stringMatching(/\S/) }])
    for (const ref of ['main', 'refs%2Fheads%2Fmain', push.after, push.after.slice(0, 9)]) {
      expect((await post(`${hook}/tests?ref=${ref}`)).status).toBe(204)
    }
    await receiver.got(5)
    expect((await post(`${hook}/tests?ref=`)).status).toBe(204)
    for (const ref of ['gone', '--all', 'main..main', '../x', '100%']) {
      expect(statusAndMessage(await post(`${hook}/tests?ref=${encodeURIComponent(ref)}`))).toEqual([
        404,
        `${repository.slice(7)} has no branch, tag, or commit "${ref}". Omit ref to use its default branch, main.`,
      ])
    }
    await site.db
      .updateTable('repositories')
      .set({ default_branch: 'trunk' })
      .where('id', '=', push.repository.id)
      .execute()
    expect((await post(`${hook}/tests`)).body.message).toContain('commit "trunk". Specify one in ref.')
  })

  it('return 404 for a test in an empty repository', async () => {
    const hook = await addHook({ at: `${await addRepository('empty')}/hooks` })
    const answer = await post(`${hook}/tests`)
    expect([answer.status, answer.body.message]).toEqual([404, 'repository is empty'])
  })

  it('send a push of one of the organization’s repositories as a test, or a ping if it has none', async () => {
    const hook = await addHook()
    expect((await post(`${hook}/tests`)).status).toBe(204)
    await addRepository('engine', { auto_init: true })
    expect((await post(`${hook}/tests`)).status).toBe(204)
    const sent = await receiver.got(3)
    const events = sent.map(({ headers }) => headers['x-gitea-event'])
    expect(events.sort()).toEqual(['ping', 'push', 'repository'])
  })

  it('show in a dry run what an event sent or would send, without sending it', async () => {
    const hook = await addHook({ config: { secret: 'a secret' }, authorization_header: 'Bearer token' })
    const later = await addHook({ config: { url: `${receiver.url}/later` }, active: false })
    await addRepository('engine')
    const [sent] = await receiver.got(1)
    const { event_id: eventId, guid } = await delivery(hook, { status: 'delivered' })
    const { body: dry, status } = await post(`${hook}/dry-run`, { event_id: eventId })
    expect(status).toBe(200)
    expect(dry).toMatchObject({
      event_id: eventId,
      reason: null,
      request: { method: 'POST', payload: sent?.body },
    })
    expect(dry.request.headers).toMatchObject({
      Authorization: '******',
      'X-Gitea-Delivery': guid,
      'X-Gitea-Signature': sent?.headers['x-gitea-signature'],
      'X-Guildhall-Attempt': '2',
    })
    const never = (await post(`${later}/dry-run`, {})).body
    expect(never).toMatchObject({
      event_id: eventId,
      reason: 'inactive',
      request: { url: `${receiver.url}/later` },
    })
    expect(JSON.parse(never.request.payload)).toEqual(JSON.parse(sent!.body))
    expect(statusAndMessage(await post(`${hook}/dry-run`, { event_id: 'newest' }))).toEqual([
      422,
      '[EventId]: The ID must be a whole number.',
    ])
    expect(statusAndMessage(await post(`${hook}/dry-run`, { event_id: 99_999_999 }))).toEqual([
      404,
      'There is no event 99999999 that this webhook could receive. See hooks/events for a list of the events in its scope.',
    ])
    await site.db
      .updateTable('hooks')
      .set({ events: ['push'] })
      .where('owner_id', '=', org.id)
      .execute()
    expect((await post(`${later}/dry-run`, { event_id: eventId })).body.reason).toBe('inactive')
    expect(statusAndMessage(await post(`${later}/dry-run`, {}))).toEqual([
      404,
      'No events that this webhook subscribes to have occurred yet.',
    ])
    expect(receiver.calls).toHaveLength(1)
  })
})

describe('the delivery log of a webhook', () => {
  it('is sorted newest first and paginated, even if deliveries have the same timestamp', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const created_at = new Date('2026-01-01T00:00:00Z')
    const ids = []
    for (let count = 0; count < 5; count++) ids.push(await makeDelivery(site, hook, { created_at }))
    const seen: number[] = []
    let next: string | undefined = `${hooks}/${hook.id}/deliveries?limit=2`
    while (next) {
      const { body, headers }: Awaited<ReturnType<typeof call>> = await call(site, 'GET', next, { as: ada })
      seen.push(...body.map(({ id }: { id: number }) => id))
      next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(ids.reverse())
  })

  it('continues after a delivery that was deleted since the last page', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const ids = []
    for (let count = 0; count < 3; count++) ids.push(await makeDelivery(site, hook))
    await site.db.deleteFrom('hook_deliveries').where('id', '=', ids[1]!).execute()
    const left = await get(`${hooks}/${hook.id}/deliveries?cursor=${ids[1]}`)
    expect(left.map(({ id }: { id: number }) => id)).toEqual([ids[0]])
  })

  it('ignores a delivery of another webhook as cursor, which reveals nothing about it', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const other = await makeHook(site, { owner_id: org.id })
    const id = await makeDelivery(site, hook)
    const foreign = await makeDelivery(site, other, { created_at: new Date('2026-01-01T00:00:00Z') })
    expect(await get(`${hooks}/${hook.id}/deliveries?cursor=${foreign}`)).toMatchObject([{ id }])
    const window = { since: '2026-01-01T00:00:00Z', status: 'all', cursor: foreign }
    expect((await post(`${hooks}/${hook.id}/replay`, window)).body).toEqual({ count: 0, next: null })
  })

  it('can be filtered by status, event, and time', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const [push, failed, grouped] = [
      await makeDelivery(site, hook, { created_at: at(1) }),
      await makeDelivery(site, hook, { status: 'failed', created_at: at(2) }),
      await makeDelivery(site, hook, { event: 'issues', event_type: 'issue_label', created_at: at(3) }),
    ]
    const found = async (query: string) =>
      (await get(`${hooks}/${hook.id}/deliveries?${query}`)).map(({ id }: { id: number }) => id)
    expect(await found('status=failed')).toEqual([failed])
    expect(await found('event=push')).toEqual([failed, push])
    expect(await found('event=issues')).toEqual([grouped])
    expect(await found('event=issue_label')).toEqual([grouped])
    expect(await found(`since=${at(2).toISOString()}&until=${at(3).toISOString()}`)).toEqual([failed])
    expect(await found('since=&status=delivered')).toEqual([grouped, push])
  })

  it.each([
    ['status=lost', /^\[Status\]: In: .*"failed"/],
    ['event=%00', /^\[Event\]: Remove the control characters\.$/],
    ['since=yesterday', /^\[Since\]: .* such as 2026-11-22T10:00:00Z\.$/],
    ['since=%00', /^\[Since\]: .* such as 2026-11-22T10:00:00Z\.$/],
    ['until=2026-11-22', /^\[Until\]: .* such as 2026-11-22T10:00:00Z\.$/],
    ['cursor=abc', /^\[Cursor\]: The cursor must be the ID of an entry, as provided in the Link header/],
    ['cursor=%00', /^\[Cursor\]: The cursor must be the ID of an entry, as provided in the Link header/],
  ])('returns 422 for %s and says what is valid', async (query, message) => {
    const hook = await makeHook(site, { owner_id: org.id })
    const answer = await call(site, 'GET', `${hooks}/${hook.id}/deliveries?${query}`, { as: ada })
    expect(statusAndMessage(answer)).toEqual([422, expect.stringMatching(message)])
  })

  it('contains no deliveries of other webhooks', async () => {
    const hook = await makeHook(site, { owner_id: org.id })
    const elsewhere = await makeDelivery(site, await makeHook(site, { owner_id: org.id }))
    expect(await get(`${hooks}/${hook.id}/deliveries`)).toEqual([])
    const path = `${hooks}/${hook.id}/deliveries/${elsewhere}`
    expect(statusAndMessage(await call(site, 'GET', path, { as: ada }))).toEqual([
      404,
      `This webhook has no delivery ${elsewhere}, or the delivery is no longer available.`,
    ])
    expect((await post(`${path}/attempts`)).status).toBe(404)
    for (const id of ['x', '0', '1e3']) {
      expect((await call(site, 'GET', `${hooks}/${hook.id}/deliveries/${id}`, { as: ada })).status).toBe(404)
    }
  })
})

describe.skipIf(mount === 'next')('a site with webhooks disabled', () => {
  const off = useSite({ webhooks: false })

  it('sends nothing', async () => {
    const bob = await makePerson(off)
    const hook = await makeHook(off, { owner_id: bob.account.id }, { events: ['repository'] })
    const running = startWorkers(off.services)
    await makeDelivery(off, hook, { status: 'pending', next_attempt_at: new Date() })
    await call(off, 'POST', '/user/repos', { as: bob, body: { name: 'engine' } })
    const waiting = async () => (await off.db.selectFrom('event_outbox').select('event_id').execute()).length
    await expect.poll(waiting).toBe(0)
    await running.stop()
    const rows = await off.db.selectFrom('hook_deliveries').select(['status', 'attempts']).execute()
    expect(rows).toEqual([{ status: 'pending', attempts: 0 }])
  })
})
