import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { startWorkers } from '@/server/jobs/workers'
import { parseAllowedHosts } from '@/server/kernel/egress'
import { signIn } from '@/testing/browser'
import { makeHook } from '@/testing/hooks'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()

const newHook = {
  type: 'gitea',
  name: '',
  // An IP address, so that no DNS lookup is needed.
  url: 'https://127.0.0.1/hook',
  content_type: 'json',
  branch_filter: '',
  events: 'push release',
  active: true,
  secret: 'hunter2',
  authorization_header: 'Bearer opensesame',
}

async function makeManaged() {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const browser = await signIn(site, owner)
  const scope = { kind: 'organization', org: org.name }
  const add = async (fields: object = {}) =>
    (await browser.mutate('hooks.add', { scope, ...newHook, ...fields })).data as {
      hook: { id: number }
      warning: object | null
    }
  return { owner, org, browser, scope, add }
}

describe('webhooks on pages', () => {
  it('are managed by the same procedures for every owner, by authorized users only', async () => {
    const root = await makePerson(site, { is_admin: true })
    const stranger = await signIn(site, await makePerson(site))
    const org = await makeOrg(site.db, root.account.id)
    const repository = await makeRepository(site.db, root.account.id, { is_private: true })
    const browser = await signIn(site, root)
    for (const [scope, system, refused] of [
      [{ kind: 'organization', org: org.name }, undefined, 'forbidden'],
      [{ kind: 'repository', owner: root.name, repo: repository.name }, undefined, 'notFound'],
      [{ kind: 'own' }, undefined, undefined],
      [{ kind: 'site' }, true, 'forbidden'],
      [{ kind: 'site' }, false, 'forbidden'],
    ] as const) {
      const { data: made } = await browser.mutate('hooks.add', { scope, ...newHook, system })
      const { id } = made.hook
      const { data: page } = await browser.query('hooks.browse', { scope, limit: 50 })
      expect(page.items.filter((hook: { id: number }) => hook.id === id)).toMatchObject([made.hook])
      expect((await browser.query('hooks.get', { scope, id })).data).toMatchObject(made.hook)
      expect((await stranger.query('hooks.browse', { scope })).error?.data.kind).toBe(refused)
      expect((await stranger.query('hooks.get', { scope, id })).error?.data.kind).toBe(refused ?? 'notFound')
      expect((await browser.mutate('hooks.remove', { scope, id })).error).toBeUndefined()
      expect((await browser.query('hooks.get', { scope, id })).error?.data).toMatchObject({
        reason: { code: 'gone', what: 'hook' },
      })
    }
  })

  it('are shown with all form fields, but only say whether secrets are set', async () => {
    const { add } = await makeManaged()
    const { hook } = await add()
    expect(hook).toMatchObject({
      scope: 'owner',
      target: '127.0.0.1:443',
      url: newHook.url,
      events: ['push', 'release'],
      active: true,
      has_secret: true,
      former_secret_until: null,
      has_authorization_header: true,
      disabled_reason: null,
      failing_since: null,
    })
    expect(JSON.stringify(hook)).not.toMatch(/hunter2|opensesame/)
  })

  it('are saved even if deliveries would be blocked, with a warning that names the rule', async () => {
    const { browser, scope, add } = await makeManaged()
    const { hook, warning } = await add({ url: 'http://169.254.169.254/latest' })
    expect(warning).toEqual({
      kind: 'denied',
      host: '169.254.169.254',
      rule: 'link-local',
      message: '169.254.169.254 is link-local, which GUILDHALL_WEBHOOK_ALLOWED_HOSTS does not allow',
    })
    const save = async (changes: object, expected: object) =>
      (await browser.mutate('hooks.save', { scope, id: hook.id, changes, expected })).data
    expect((await save({ name: 'x' }, { name: '' })).warning).toBeNull()
    const url = { url: 'http://169.254.169.254/latest' }
    expect((await save({ url: 'http://10.0.0.1/' }, url)).warning).toMatchObject({ rule: 'private' })
    expect((await save({ url: newHook.url }, { url: 'http://10.0.0.1/' })).warning).toBeNull()
  })

  it('are saved field by field, and the later of two conflicting edits is shown the current value', async () => {
    const { browser, scope, add } = await makeManaged()
    const { id } = (await add()).hook
    const save = (changes: object, expected: object) =>
      browser.mutate('hooks.save', { scope, id, changes, expected })
    const first = await save({ events: 'push', name: 'CI' }, { events: 'push release', name: '' })
    expect(first.data.hook).toMatchObject({ events: ['push'], name: 'CI', url: newHook.url })
    const second = await save({ events: 'create', active: false }, { events: 'push release', active: true })
    expect(second.error?.data).toMatchObject({ kind: 'conflict', current: { events: 'push' } })
    expect((await browser.query('hooks.get', { scope, id })).data).toMatchObject(first.data.hook)
  })

  it('have their URL checked while it is typed, once it is complete', async () => {
    const { browser, scope } = await makeManaged()
    const warning = async (url: string) => (await browser.query('hooks.checkAddress', { scope, url })).data
    expect(await warning('http://10.1.2.3/hook')).toMatchObject({ kind: 'denied', rule: 'private' })
    expect(await warning('http://127.0.0.1:3000/hook')).toBeNull()
    expect(await warning('https://')).toBeNull()
  })

  it('have their URL checked up to thirty times a minute, and are then saved without a warning', async () => {
    const { browser, scope, add } = await makeManaged()
    const check = () => browser.query('hooks.checkAddress', { scope, url: 'http://10.1.2.3/hook' })
    for (let count = 0; count < 30; count++) expect((await check()).error).toBeUndefined()
    expect((await check()).error).toMatchObject({
      message: 'too many checked addresses; try again in 1 minute',
      data: { kind: 'tooManyRequests' },
    })
    const { hook, warning } = await add({ url: 'http://10.1.2.3/hook' })
    expect([hook.id, warning]).toEqual([expect.any(Number), null])
  })

  it('can subscribe to a single event with the same name as a group', async () => {
    const { browser, scope, add } = await makeManaged()
    const { id } = (await add()).hook
    const events = { changes: { events: 'issues push' }, expected: { events: 'push release' } }
    const { data } = await browser.mutate('hooks.save', { scope, id, ...events })
    expect(data.hook.events).toEqual(['issues', 'push'])
  })

  it('have secrets and the active state set separately from the form', async () => {
    const { browser, scope, add } = await makeManaged()
    const { id } = (await add()).hook
    const set = async (fields: object) => (await browser.mutate('hooks.set', { scope, id, ...fields })).data
    expect((await set({ secret: 'second' })).former_secret_until).toMatch(/^\d{4}-/)
    expect(await set({ secret: '', authorization_header: '', active: false })).toMatchObject({
      has_secret: false,
      former_secret_until: null,
      has_authorization_header: false,
      active: false,
    })
  })

  it.each([
    [{ url: 'ci.example.test' }, 'url', 'Enter a URL that starts with https:// or http://.'],
    [{ url: 'https://ci.example.test:99999/' }, 'url', 'the port must be a number from 1 to 65535'],
    [{ url: 'https://ada:x@ci.example.test/' }, 'url', expect.stringContaining('authorization header')],
    [{ secret: 'whsec_?' }, 'secret', expect.stringContaining('must continue with padded base64')],
    [{ events: 'pushed' }, 'events', expect.stringContaining('"pushed"')],
    [{ branch_filter: '{a' }, 'branch_filter', 'the "{" at position 1 is never closed'],
    [{ type: 'slack', channel: 'Not One' }, 'channel', 'Invalid slack channel name'],
    [{ type: 'slack' }, 'channel', 'Missing config option: channel'],
    [{ events: '' }, 'events', 'Select at least one event.'],
    [{ content_type: 'xml' }, 'content_type', 'Select json or form.'],
  ])('with %j are rejected with an error next to the field', async (fields, field, message) => {
    const { browser, scope } = await makeManaged()
    const { error } = await browser.mutate('hooks.add', { scope, ...newHook, ...fields })
    expect([error?.data.field, error?.message]).toEqual([field, message])
  })

  it('show why and since when they have been disabled automatically', async () => {
    const { org, browser, scope } = await makeManaged()
    const since = new Date('2026-07-01T00:00:00Z')
    const { id } = await makeHook(
      site,
      { owner_id: org.id },
      { disabled_reason: 'failing', failing_since: since },
    )
    expect((await browser.query('hooks.get', { scope, id })).data).toMatchObject({
      active: false,
      disabled_reason: 'failing',
      failing_since: '2026-07-01T00:00:00Z',
    })
  })
})

describe.skipIf(mount === 'next')('the address of an internal host name', () => {
  const strict = useSite({ webhookAllowedHosts: parseAllowedHosts('10.7.7.0/24') })
  const url = 'http://inside.localhost:9/hook'

  it('is shown only to site administrators, in warnings and deliveries', async () => {
    const owner = await makePerson(strict)
    const browser = await signIn(strict, owner)
    const scope = { kind: 'own' }
    const { data: warning } = await browser.query('hooks.checkAddress', { scope, url })
    expect(warning).toEqual({
      kind: 'denied',
      host: 'inside.localhost',
      rule: 'loopback',
      message:
        'inside.localhost resolves to an address that is loopback, which GUILDHALL_WEBHOOK_ALLOWED_HOSTS does not allow',
    })
    const { data: made } = await browser.mutate('hooks.add', { scope, ...newHook, url })
    expect(made.warning).toEqual(warning)
    const running = startWorkers(strict.services)
    await browser.mutate('hooks.ping', { scope, id: made.hook.id })
    const deliveries = async () =>
      (await browser.query('hooks.browseDeliveries', { scope, id: made.hook.id })).data.items
    await expect.poll(async () => (await deliveries())[0]?.error).toBe(`denied: ${warning.message}`)
    await running.stop()
    const root = await signIn(strict, await makePerson(strict, { is_admin: true }))
    expect((await root.query('hooks.checkAddress', { scope, url })).data).toMatchObject({
      address: '127.0.0.1',
      message:
        'inside.localhost resolves to 127.0.0.1, which is loopback; GUILDHALL_WEBHOOK_ALLOWED_HOSTS is "10.7.7.0/24", ' +
        'and "10.7.7.0/24, inside.localhost" would allow it',
    })
  })
})
