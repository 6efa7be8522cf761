// @module-tag embedded
import { describe, expect, it } from 'vitest'
import type { Database } from '@/db/tables'
import { makeOrg } from '@/db/testing/factories'
import { unseal } from '@/server/kernel/seal'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { statusAndMessage } from '@/testing/team-cast'

const site = useSite()
const config = { url: 'https://ci.example.test/hook', content_type: 'json', secret: 'first' }
const whole = {
  type: 'gitea',
  name: 'Deploy',
  config,
  events: ['release', 'repository'],
  branch_filter: 'main',
  authorization_header: 'Bearer opensesame',
  active: true,
}

async function makeHookOf(fields: object = {}) {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const path = `/orgs/${org.name}/hooks`
  const made = await call(site, 'POST', path, { as: owner, body: { ...whole, ...fields } })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const edit = (body: object) => call(site, 'PATCH', `${path}/${id}`, { as: owner, body })
  const stored = () => site.db.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const set = (columns: Partial<Database['hooks']>) =>
    site.db
      .updateTable('hooks')
      .set(columns as object)
      .where('id', '=', id)
      .execute()
  return { owner, org, path, made: made.body, id, edit, stored, set }
}

const open = (purpose: Parameters<typeof unseal>[1], sealed: Buffer | null) =>
  sealed && unseal(site.services.config, purpose, sealed)

describe('PATCH /orgs/{org}/hooks/{id}', () => {
  it.each([
    {},
    { events: null, branch_filter: null, authorization_header: null, active: null, name: null, config: null },
  ])('returns 200 for %j, changes nothing, and records no event', async body => {
    const { org, made, edit, stored } = await makeHookOf()
    const before = await stored()
    const answer = await edit(body)
    expect([answer.status, answer.body]).toEqual([200, made])
    expect(await stored()).toEqual(before)
    const events = await site.db.selectFrom('events').select('kind').where('owner_id', '=', org.id).execute()
    expect(events).toEqual([{ kind: 'hook.added' }])
  })

  it('returns 200 and changes a single field, which the event names', async () => {
    const { org, made, edit, stored } = await makeHookOf()
    const changes = [
      ['name', { name: 'Other' }, { name: 'Other' }],
      ['events', { events: ['push'] }, { events: ['push'] }],
      ['branch_filter', { branch_filter: 'dev*' }, { branch_filter: 'dev*' }],
      ['active', { active: false }, { active: false }],
      [
        'content_type',
        { config: { content_type: 'form' } },
        { config: { url: config.url, content_type: 'form' } },
      ],
      [
        'url',
        { config: { url: 'http://10.0.0.1:8080/' } },
        { config: { url: 'http://10.0.0.1:8080/', content_type: 'form' } },
      ],
      ['authorization_header', { authorization_header: 'Basic x' }, { authorization_header: '' }],
      ['secret', { config: { secret: 'second' } }, {}],
    ] as const
    let expected = made
    for (const [, body, shown] of changes) {
      expected = { ...expected, ...shown, updated_at: expect.any(String) }
      const answer = await edit(body)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).toEqual(expected)
    }
    const row = await stored()
    expect(row.target).toBe('10.0.0.1:8080')
    expect(open('hook.authorization', row.authorization_sealed)).toBe('Basic x')
    const events = await site.db
      .selectFrom('events')
      .select('data')
      .where('owner_id', '=', org.id)
      .where('kind', '=', 'hook.edited')
      .orderBy('id')
      .execute()
    expect(events.map(({ data }) => (data as { changed: string }).changed)).toEqual(
      changes.map(([field]) => field),
    )
    expect(JSON.stringify(events)).not.toMatch(/second|opensesame/)
  })

  it('returns 200, clears fields set to an empty text, and treats an empty list of events as push', async () => {
    const { edit, stored } = await makeHookOf()
    const answer = await edit({
      name: '',
      branch_filter: '',
      authorization_header: '',
      events: [],
      config: { secret: '' },
    })
    expect(answer.body).toMatchObject({ name: '', branch_filter: '', events: ['push'] })
    expect(await stored()).toMatchObject({
      authorization_sealed: null,
      secret_sealed: null,
      former_secret_sealed: null,
    })
  })

  it('returns 200 and keeps signing with a replaced secret for a day, unless the secret is the same', async () => {
    const { edit, stored } = await makeHookOf()
    const now = new Date('2026-07-01T12:00:00Z')
    site.now.set(now)
    try {
      await edit({ config: { secret: 'first' } })
      expect((await stored()).former_secret_sealed).toBeNull()
      await edit({ config: { secret: 'second' } })
      await edit({ config: { secret: 'second' } })
    } finally {
      site.now.set(undefined)
    }
    const row = await stored()
    expect([row.secret_sealed, row.former_secret_sealed].map(sealed => open('hook.secret', sealed))).toEqual([
      'second',
      'first',
    ])
    expect(row.former_secret_until).toEqual(new Date('2026-07-02T12:00:00Z'))
  })

  it('returns 200 and changes the options of a slack webhook one by one', async () => {
    const slack = { ...config, channel: '#a', username: 'CI', icon_url: '', color: 'good' }
    const { edit } = await makeHookOf({ type: 'slack', config: slack })
    const { body } = await edit({ config: { channel: 'b', color: '' } })
    expect(body.config).toEqual({
      url: config.url,
      content_type: 'json',
      channel: 'b',
      username: 'CI',
      icon_url: '',
      color: '',
    })
    expect(statusAndMessage(await edit({ config: { channel: 'Not One' } }))).toEqual([
      400,
      'Invalid slack channel name',
    ])
  })

  it('returns 200 and ignores a new type, method, and options of other types', async () => {
    const { made, edit } = await makeHookOf()
    const { body } = await edit({
      type: 'slack',
      config: { channel: '#a', http_method: 'GET', is_system_webhook: 'true' },
    })
    expect(body).toEqual(made)
  })

  it('returns 200, and an automatically disabled webhook stays inactive until it is activated, which resets its failures', async () => {
    const { owner, path, id, edit, stored, set } = await makeHookOf()
    await set({ disabled_reason: 'failing', failing_since: new Date() } as never)
    expect((await call(site, 'GET', `${path}/${id}`, { as: owner })).body.active).toBe(false)
    expect((await edit({ name: 'still' })).body.active).toBe(false)
    expect((await edit({ active: true })).body.active).toBe(true)
    expect(await stored()).toMatchObject({ is_active: true, disabled_reason: null, failing_since: null })
  })

  it('returns 200 and resets the failure period for a new URL, but not for the same URL', async () => {
    const { edit, stored, set } = await makeHookOf()
    const since = new Date('2026-01-01T00:00:00Z')
    await set({ failing_since: since } as never)
    await edit({ config: { url: config.url } })
    expect(await stored()).toMatchObject({ failing_since: since })
    await edit({ config: { url: 'https://new.example.test/hook' } })
    expect(await stored()).toMatchObject({ failing_since: null })
  })

  it.each([
    [{ config: { url: 'x' } }, 'Invalid url'],
    [{ config: { url: 'https://ada:x@ci.example.test/' } }, expect.stringContaining('authorization header')],
    [{ config: { secret: 'whsec_?' } }, expect.stringContaining('must continue with padded base64')],
    [{ events: ['pushed'] }, expect.stringContaining('"pushed"')],
    [{ config: { content_type: 'xml' } }, 'Invalid content type'],
    [{ branch_filter: '{a' }, '[BranchFilter]: the "{" at position 1 is never closed'],
    [{ name: 'x'.repeat(256) }, expect.stringMatching(/^\[Name\]: MaxSize/)],
    [{ config: { url: 7 } }, '[]: config.url: expected string'],
  ])('returns 422 for %j and changes nothing', async (body, message) => {
    const { edit, stored } = await makeHookOf()
    const before = await stored()
    expect(statusAndMessage(await edit({ ...body, active: false }))).toEqual([422, message])
    expect(await stored()).toEqual(before)
  })
})

describe('DELETE /orgs/{org}/hooks/{id}', () => {
  it('returns 204 once, after which the webhook and its deliveries return 404', async () => {
    const { owner, org, path, id } = await makeHookOf()
    const payload = await site.db
      .insertInto('hook_payloads')
      .values({ body: Buffer.from('x') })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.db
      .insertInto('hook_deliveries')
      .values({
        uuid: crypto.randomUUID(),
        hook_id: id,
        kind: 'test',
        event: 'push',
        event_type: 'push',
        sequence: 1,
        content_type: 'json',
        payload_id: payload.id,
        target: 'ci.example.test:443',
        status: 'pending',
        next_attempt_at: new Date(),
      })
      .execute()
    const remove = () => call(site, 'DELETE', `${path}/${id}`, { as: owner })
    const removed = await remove()
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await remove()).status).toBe(404)
    expect((await call(site, 'GET', `${path}/${id}`, { as: owner })).status).toBe(404)
    expect((await call(site, 'GET', `${path}/${id}/deliveries`, { as: owner })).status).toBe(404)
    const events = await site.db
      .selectFrom('events')
      .select('kind')
      .where('owner_id', '=', org.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ kind }) => kind)).toEqual(['hook.added', 'hook.removed'])
  })
})
