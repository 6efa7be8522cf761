import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { exportEvents } from '@/server/audit'
import { EventFilter } from '@/server/audit/schema'
import { requireAdmin } from '@/server/kernel/caller'
import { jobContext } from '@/server/services'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()
const ownPage = { 'sec-fetch-site': 'same-origin' }
let root: Person
let browser: Browser
beforeAll(async () => {
  root = await makePerson(site, { is_admin: true })
  browser = await signIn(site, root)
})

const download = (path: string, headers: Record<string, string> = ownPage) =>
  fetch(`${site.url}/-/admin/${path}`, { headers: { cookie: browser.cookie, ...headers } })

const record = (kind: string, data: object, ids: { actor?: number; owner?: number; repository?: number }) =>
  site.db
    .insertInto('events')
    .values({
      kind,
      data: JSON.stringify(data),
      actor_id: ids.actor ?? null,
      owner_id: ids.owner ?? null,
      repository_id: ids.repository ?? null,
      in_feed: false,
      remote_address: '192.0.2.1',
      request_id: 'a-request',
    })
    .execute()

describe('the events of the site', () => {
  it('are filtered by actor, location, kind and date, and listed newest first, with text and facts', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const repository = await makeRepository(site.db, ben.account.id)
    await record('key.added', { keyId: 1, title: 'laptop' }, { actor: ada.account.id, owner: ada.account.id })
    await record(
      'repository.created',
      { name: repository.name },
      { actor: ben.account.id, owner: ben.account.id, repository: repository.id },
    )
    await record(
      'hook.added',
      { target: 'a.example:443' },
      { actor: ada.account.id, owner: ben.account.id, repository: repository.id },
    )
    await record('key.removed', { title: 'laptop' }, { actor: root.account.id, owner: ada.account.id })
    const found = async (choice: object) => {
      const { data } = await browser.query('audit.list', choice)
      return data.items.map(({ kind }: { kind: string }) => kind)
    }
    expect(await found({ actor: ada.name.toUpperCase() })).toEqual(['hook.added', 'key.added'])
    expect(await found({ place: ada.name, kind: 'credentials' })).toEqual(['key.removed', 'key.added'])
    expect(await found({ place: `${ben.name}/${repository.name}` })).toEqual([
      'hook.added',
      'repository.created',
    ])
    expect(await found({ place: ben.name, actor: ada.name, kind: 'hook.added' })).toEqual(['hook.added'])
    expect((await found({ kind: 'credentials' })).slice(0, 2)).toEqual(['key.removed', 'key.added'])
    for (const nothing of [{ actor: 'nobody-at-all' }, { place: `${ben.name}/none` }, { kind: 'no.kind' }])
      expect(await found(nothing)).toEqual([])
    const first = (await browser.query('audit.list', { place: ben.name, limit: 1 })).data
    const rest = (await browser.query('audit.list', { place: ben.name, limit: 1, cursor: first.next })).data
    expect([first.items[0].kind, rest.items[0].kind, rest.next]).toEqual([
      'hook.added',
      'repository.created',
      null,
    ])
    expect(first.items[0]).toMatchObject({
      actor: { id: ada.account.id, name: ada.name },
      text: 'added a webhook to a.example:443',
      remote_address: '192.0.2.1',
      request_id: 'a-request',
      owner: ben.name,
      repository: `${ben.name}/${repository.name}`,
      facts: { target: 'a.example:443' },
    })
  })

  it('show who signed in, even if an earlier version recorded no actor', async () => {
    const ada = await makePerson(site)
    await record('session.opened', { sessionId: 1 }, { owner: ada.account.id })
    await signIn(site, ada)
    const { data } = await browser.query('audit.list', { place: ada.name, kind: 'sign-in' })
    expect(data.items.map(({ actor, text }: { actor: object; text: string }) => ({ actor, text }))).toEqual(
      [1, 2].map(() => ({ actor: { id: ada.account.id, name: ada.name }, text: 'signed in' })),
    )
    expect((await browser.query('audit.list', { actor: ada.name })).data.items).toHaveLength(1)
  })

  it('are found by former names of their repository and its owner', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const { id, name } = await makeRepository(site.db, ben.account.id)
    await site.db
      .insertInto('repository_redirects')
      .values({ owner_id: ada.account.id, name: name.toLowerCase(), repository_id: id })
      .execute()
    await record('hook.added', { target: 'a.example:443' }, { owner: ada.account.id, repository: id })
    const { data } = await browser.query('audit.list', { place: `${ada.name}/${name}` })
    expect(data.items).toMatchObject([{ kind: 'hook.added', repository: `${ben.name}/${name}` }])
  })

  it('are found by a range of days, including the last one', async () => {
    const ada = await makePerson(site)
    const days = ['2001-02-03T00:00:00Z', '2001-02-03T23:59:59Z', '2001-02-04T00:00:00Z']
    const kinds = ['user.created', 'user.edited', 'user.blocked']
    // Before all others, as IDs are nearly in the order of the times.
    await sql`insert into events (id, kind, actor_id, created_at, in_feed)
      select n - 10, (${kinds}::text[])[n], ${ada.account.id}::bigint, (${days}::timestamptz[])[n], false
      from generate_series(1, 3) n`.execute(site.db)
    const found = async (choice: object) => {
      const { data } = await browser.query('audit.list', { actor: ada.name, ...choice })
      return data.items.map(({ kind }: { kind: string }) => kind)
    }
    expect(await found({ from: '2001-02-03', to: '2001-02-03' })).toEqual(['user.edited', 'user.created'])
    expect(await found({ from: '2001-02-04' })).toEqual(['user.blocked'])
    expect(await found({ to: '2001-02-02' })).toEqual([])
    for (const from of ['yesterday', '0000-01-01', '9999-12-31'])
      expect((await browser.query('audit.list', { from })).status).toBe(400)
  })
})

describe('an export', () => {
  it('is a file of the events that match, and is recorded as an event itself', async () => {
    const ada = await makePerson(site)
    await record('key.added', { title: '=1+1, "x"' }, { actor: ada.account.id, owner: ada.account.id })
    await record('token.created', { name: 'ci' }, { actor: ada.account.id, owner: ada.account.id })
    const lines = await download(`events.jsonl?actor=${ada.name}&kind=credentials`)
    expect(lines.headers.get('content-disposition')).toContain('attachment; filename="events.jsonl"')
    expect(lines.headers.get('cache-control')).toBe('no-store')
    const events = (await lines.text())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(events.map(({ kind, actor }) => [kind, actor.name])).toEqual([
      ['token.created', ada.name],
      ['key.added', ada.name],
    ])
    const table = await (await download(`events.csv?actor=${ada.name}&kind=key.added`)).text()
    expect(table.split('\r\n')[0]).toBe(
      'id,created,kind,actor,text,owner,repository,remote_address,request_id,facts',
    )
    expect(table).toContain(`key.added,${ada.name},"added the SSH key “=1+1, ""x""”"`)
    const { data } = await browser.query('audit.list', { kind: 'events.exported', limit: 2 })
    expect(data.items).toMatchObject([
      {
        actor: { name: root.name },
        facts: { format: 'csv', filter: { actor: ada.name, kind: 'key.added' } },
      },
      { text: 'exported events as JSON lines' },
    ])
  })

  it('is cut off when its reader is no longer an administrator', async () => {
    const admin = await makePerson(site, { is_admin: true })
    const address = '198.51.100.8'
    await sql`insert into events (kind, in_feed, actor_id, remote_address)
      select 'job.started', false, ${admin.account.id}::bigint, ${address} from generate_series(1, 1001)`.execute(
      site.db,
    )
    const { stamp, account: user } = admin
    const caller = requireAdmin({ kind: 'user', user, credential: { kind: 'password', stamp } })
    const ctx = { ...jobContext(site.services, 'test'), caller }
    const text = (await exportEvents(ctx, EventFilter.parse({ actor: admin.name }), 'jsonl'))[
      Symbol.asyncIterator
    ]()
    expect((await text.next()).value).toContain(address)
    await site.db.updateTable('users').set({ is_admin: false }).where('id', '=', user.id).execute()
    await expect(text.next()).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('is allowed only for administrators on a page of this site, and for no token', async () => {
    const other = await signIn(site, await makePerson(site))
    for (const format of ['csv', 'jsonl']) {
      const path = `events.${format}`
      expect((await download(path, { cookie: other.cookie, ...ownPage })).status).toBe(404)
      expect((await download(path, { cookie: '', ...ownPage })).status).toBe(404)
      const basic = `Basic ${Buffer.from(`${root.name}:${root.password}`).toString('base64')}`
      expect((await download(path, { cookie: '', authorization: basic, ...ownPage })).status).toBe(404)
      expect((await download(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect((await download(`${path}?from=x`)).status).toBe(400)
    }
    expect((await other.query('audit.list', {})).status).toBe(403)
  })
})

describe.skipIf(mount === 'next')('an export of 100,000 events', () => {
  const count = 100_000
  const address = '198.51.100.7'
  let queries = 0
  beforeAll(async () => {
    await sql`insert into events (kind, data, in_feed, remote_address)
      select 'run.started', jsonb_build_object('number', n, 'note', repeat('x', 300)), false, ${address}
      from generate_series(1, ${count}::int) n`.execute(site.db)
    await sql`analyze events`.execute(site.db)
    // Each batch reads the events after the last one.
    const original = site.services.db.getExecutor().executeQuery
    site.services.db.getExecutor().executeQuery = function (
      this: unknown,
      query: { sql: string },
      ...rest: []
    ) {
      if (query.sql.includes('as found')) queries++
      return (original as (...all: unknown[]) => unknown).call(this, query, ...rest)
    } as never
  })

  it('is complete and in order, and needs little memory', async () => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let most = 0
    const response = await download('events.jsonl?kind=run.started')
    let [bytes, lines, last] = [0, 0, Number.POSITIVE_INFINITY]
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      bytes += chunk.length
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        const { id } = JSON.parse(line)
        if (id >= last) throw new Error('not in order')
        last = id
        lines++
      }
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    expect([lines, rest]).toEqual([count, ''])
    expect(bytes).toBeGreaterThan(40_000_000)
    expect(most / 1024 ** 2).toBeLessThan(200)
  }, 120_000)

  it.each(['leaves', 'reads no further'])('asks the database for no more when its client %s', async what => {
    queries = 0
    const sent = get(`${site.url}/-/admin/events.csv?kind=run.started`, {
      headers: { cookie: browser.cookie, ...ownPage },
    })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response, 'readable')
    if (what === 'leaves') response.destroy()
    else response.pause()
    // The buffers of the connection fill first, which takes longer on a busy machine.
    for (let before = -1; before !== queries && queries < 60; ) {
      before = queries
      await sleep(500)
    }
    const then = queries
    await sleep(500)
    expect(queries).toBe(then)
    expect(then).toBeGreaterThan(1)
    expect(then).toBeLessThan(60)
    response.destroy()
  })
})
