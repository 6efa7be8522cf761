// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import type { Scope, ScopeCategory } from '@/server/kernel/scopes'
import { call } from '@/testing/call'
import { makeHook } from '@/testing/hooks'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()
const config = { url: 'https://ci.example.test/hook', content_type: 'json' }
const newHook = { type: 'gitea', config }
const idsOf = (hooks: { id: number }[]) => hooks.map(({ id }) => id)

async function makeScopes() {
  const owner = await makePerson(site, { is_admin: true })
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, owner.account.id)
  return {
    owner,
    org,
    repository,
    paths: [
      `/orgs/${org.name}/hooks`,
      `/repos/${owner.name}/${repository.name}/hooks`,
      '/user/hooks',
      '/admin/hooks',
    ],
  }
}

describe('the webhooks of an organization', () => {
  it('are accessible only to its owners and site administrators, and return 404 if the organization is hidden', async () => {
    const { root, owner, inTeam, member, outsider, org } = await makeTeamCast(site)
    const { id } = await makeHook(site, { owner_id: org.id })
    const hidden = await makeTeamCast(site, { org: { visibility: 'private' } })
    const hiddenHook = await makeHook(site, { owner_id: hidden.org.id })
    for (const [method, ending, body] of [
      ['GET', () => ''],
      ['POST', () => '', newHook],
      ['GET', (hook: number) => `/${hook}`],
      ['PATCH', (hook: number) => `/${hook}`, {}],
      ['DELETE', (hook: number) => `/${hook}`],
    ] as const) {
      const pathIn = (name: string, hook = id) => `/orgs/${name}/hooks${ending(hook)}`
      const others = [inTeam, member, outsider]
      expect(await answersTo(site, method, pathIn(org.name), [undefined, ...others], body)).toEqual([
        refusals.anonymous,
        ...others.map(() => refusals.notOwner),
      ])
      const there = pathIn(hidden.org.name, hiddenHook.id)
      for (const at of [there, pathIn(owner.name), pathIn('nobody-has-this')]) {
        expect(await answersTo(site, method, at, [undefined, outsider], body)).toEqual([
          refusals.hidden,
          refusals.hidden,
        ])
      }
      expect(await answersTo(site, method, there, [hidden.member], body)).toEqual([refusals.notOwner])
    }
    for (const as of [owner, root]) {
      expect((await call(site, 'GET', `/orgs/${org.name}/hooks`, { as })).body).toHaveLength(1)
    }
  })

  it('keep belonging to the organization after it is renamed, and redirect from its former name', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const { id } = await makeHook(site, { owner_id: org.id })
    const renamed = `${org.name}-new`
    await call(site, 'POST', `/orgs/${org.name}/rename`, { as: owner, body: { new_name: renamed } })
    const former = await call(site, 'PATCH', `/orgs/${org.name}/hooks/${id}?x=1`, { as: owner, body: {} })
    expect([former.status, former.headers.get('location')]).toEqual([
      307,
      `/api/v1/orgs/${renamed}/hooks/${id}?x=1`,
    ])
    expect(idsOf((await call(site, 'GET', `/orgs/${renamed}/hooks`, { as: owner })).body)).toEqual([id])
  })

  it('are deleted with it', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const { id } = await makeHook(site, { owner_id: org.id })
    expect((await call(site, 'DELETE', `/orgs/${org.name}`, { as: owner })).status).toBe(204)
    expect(await site.db.selectFrom('hooks').select('id').where('id', '=', id).execute()).toEqual([])
  })
})

describe('the webhooks of a repository', () => {
  it('are accessible only to its administrators', async () => {
    const [admin, writer, outsider] = [await makePerson(site), await makePerson(site), await makePerson(site)]
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id)
    for (const [person, mode] of [
      [admin, 'admin'],
      [writer, 'write'],
    ] as const) {
      const team = await makeTeam(site.db, org.id, { mode }, { 'repo.code': mode })
      await addToTeam(site.db, team, person.account.id)
      await attach(site.db, team, repository.id)
    }
    const path = `/repos/${org.name}/${repository.name}/hooks`
    const refused = [403, 'user should be an owner or a collaborator with admin write of a repository']
    expect(await answersTo(site, 'GET', path, [owner, admin, writer, outsider, undefined])).toEqual([
      [200, undefined],
      [200, undefined],
      refused,
      refused,
      refusals.anonymous,
    ])
    const made = await call(site, 'POST', path, { as: admin, body: newHook })
    const { data, owner_id } = await site.db
      .selectFrom('events')
      .select(['data', 'owner_id'])
      .where('kind', '=', 'hook.added')
      .where('owner_id', '=', org.id)
      .executeTakeFirstOrThrow()
    expect([owner_id, data]).toEqual([
      org.id,
      expect.objectContaining({ hookId: made.body.id, scope: 'repository', repositoryId: repository.id }),
    ])
  })

  it('redirect from the repository’s former name, and are deleted with it', async () => {
    const owner = await makePerson(site)
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'engine' } })
    const made = await call(site, 'POST', `/repos/${owner.name}/engine/hooks`, { as: owner, body: newHook })
    await call(site, 'PATCH', `/repos/${owner.name}/engine`, { as: owner, body: { name: 'motor' } })
    for (const [method, status] of [
      ['GET', 301],
      ['PATCH', 308],
    ] as const) {
      const { id } = made.body
      const former = await call(site, method, `/repos/${owner.name}/engine/hooks/${id}`, { as: owner })
      expect([former.status, former.headers.get('location')]).toEqual([
        status,
        `/api/v1/repos/${owner.name}/motor/hooks/${id}`,
      ])
    }
    expect((await call(site, 'DELETE', `/repos/${owner.name}/motor`, { as: owner })).status).toBe(204)
    expect(await site.db.selectFrom('hooks').select('id').where('id', '=', made.body.id).execute()).toEqual(
      [],
    )
  })
})

describe('the webhooks of the site', () => {
  it('list only system webhooks, unless default webhooks are requested', async () => {
    const root = await makePerson(site, { is_admin: true })
    const before = (await call(site, 'GET', '/admin/hooks?type=all&limit=50', { as: root })).body.length
    const system = await call(site, 'POST', '/admin/hooks', {
      as: root,
      body: { type: 'gitea', config: { ...config, is_system_webhook: 'true' } },
    })
    const defaultHook = await call(site, 'POST', '/admin/hooks', { as: root, body: newHook })
    const listed = async (query: string) =>
      idsOf((await call(site, 'GET', `/admin/hooks?limit=50${query}`, { as: root })).body)
    for (const query of ['', '&type=system', '&type=nonsense']) {
      expect(await listed(query)).toContain(system.body.id)
      expect(await listed(query)).not.toContain(defaultHook.body.id)
    }
    expect(await listed('&type=default')).toContain(defaultHook.body.id)
    expect(await listed('&type=default')).not.toContain(system.body.id)
    expect(await listed('&type=all')).toHaveLength(before + 2)
    for (const { body } of [system, defaultHook]) {
      expect((await call(site, 'DELETE', `/admin/hooks/${body.id}`, { as: root })).status).toBe(204)
    }
  })

  it('are copied to each new repository, with their secrets, if they are default webhooks, and the copies are independent', async () => {
    const root = await makePerson(site, { is_admin: true })
    const defaultHook = await call(site, 'POST', '/admin/hooks', {
      as: root,
      body: {
        ...newHook,
        name: 'Usual',
        config: { ...config, secret: 'hunter2' },
        events: ['push', 'team'],
        branch_filter: 'main',
        authorization_header: 'Bearer x',
        active: true,
      },
    })
    await call(site, 'POST', '/user/repos', { as: root, body: { name: 'engine' } })
    await call(site, 'DELETE', `/admin/hooks/${defaultHook.body.id}`, { as: root })
    await call(site, 'POST', '/user/repos', { as: root, body: { name: 'later' } })
    const hooksIn = async (name: string) =>
      (await call(site, 'GET', `/repos/${root.name}/${name}/hooks`, { as: root })).body
    expect(await hooksIn('engine')).toEqual([
      {
        ...defaultHook.body,
        id: expect.any(Number),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect(await hooksIn('later')).toEqual([])
    const [{ id }] = await hooksIn('engine')
    const { secret_sealed, authorization_sealed } = await site.db
      .selectFrom('hooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([secret_sealed, authorization_sealed]).not.toContain(null)
  })
})

async function requireScopes(
  method: string,
  path: string,
  alsoNeeded: readonly ScopeCategory[],
): Promise<void> {
  const { owner, paths } = await makeScopes()
  const categories = ['organization', 'repository', 'user', 'admin'] as const
  const level = method === 'GET' ? 'read' : 'write'
  for (const [at, basePath] of paths.entries()) {
    const answer = async (scopes: Scope[]) => {
      const as = { token: await makeToken(site, owner.account.id, scopes) }
      return (await call(site, method, `${basePath}${path}`, { as })).body?.message
    }
    const needed = [...new Set([categories[at]!, ...alsoNeeded])]
    const enough = needed.map(category => `${level}:${category}` as const)
    const refusal = `required=[${enough.join(' ')}]`
    for (const lacking of needed) {
      const others = categories.filter(category => category !== lacking)
      const held = others.map(category => `write:${category}` as const)
      expect(await answer(held)).toContain(refusal)
      if (level === 'write') expect(await answer([...held, `read:${lacking}`])).toContain(refusal)
    }
    expect(await answer(enough)).not.toEqual(expect.stringContaining('required='))
  }
}

describe('webhooks of organizations, repositories, users, and the site', () => {
  it('are created, listed oldest first, shown, edited, and deleted there, and return 404 elsewhere', async () => {
    const { owner, paths } = await makeScopes()
    const system = { ...newHook, config: { ...config, is_system_webhook: 'true' } }
    const made = new Map<string, number[]>()
    for (const path of paths) {
      const body = path === '/admin/hooks' ? system : newHook
      const answers = [1, 2].map(() => call(site, 'POST', path, { as: owner, body }))
      made.set(
        path,
        idsOf((await Promise.all(answers)).map(answer => answer.body)).sort((a, b) => a - b),
      )
    }
    for (const [path, ids] of made) {
      const { body } = await call(site, 'GET', `${path}?limit=50`, { as: owner })
      expect(idsOf(body).filter(id => [...made.values()].flat().includes(id))).toEqual(ids)
      for (const other of paths) {
        const expected = other === path ? 200 : 404
        for (const [method, sent] of [['GET'], ['PATCH', { name: 'x' }]] as const) {
          const answer = await call(site, method, `${other}/${ids[0]}`, { as: owner, body: sent })
          expect(answer.status, `${method} ${other}`).toBe(expected)
        }
      }
      for (const other of paths.filter(at => at !== path)) {
        expect((await call(site, 'DELETE', `${other}/${ids[0]}`, { as: owner })).status).toBe(404)
      }
      for (const id of ids) {
        expect((await call(site, 'DELETE', `${path}/${id}`, { as: owner })).status).toBe(204)
      }
    }
  })

  it('are paginated with Link and total, also past the end', async () => {
    const owner = await makePerson(site)
    const ids: number[] = []
    for (let i = 0; i < 3; i++) ids.push((await makeHook(site, { owner_id: owner.account.id })).id)
    const page = (query: string) => call(site, 'GET', `/user/hooks${query}`, { as: owner })
    const first = await page('?limit=2')
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
    expect(first.headers.get('x-total-count')).toBe('3')
    expect(first.headers.get('link')).toBe(
      `<${site.url}/api/v1/user/hooks?limit=2&page=2>; rel="next",<${site.url}/api/v1/user/hooks?limit=2&page=2>; rel="last"`,
    )
    expect(idsOf((await page('?limit=2&page=2')).body)).toEqual(ids.slice(2))
    const past = await page('?page=9')
    expect([past.status, past.body, past.headers.get('x-total-count')]).toEqual([200, [], '3'])
  })

  it.each(['abc', '0', '99999999', '1.5', '-1', '1e3', '9999999999999999'])(
    'return 404 for the ID %s',
    async id => {
      const { owner, paths } = await makeScopes()
      for (const path of paths) {
        expect(statusAndMessage(await call(site, 'GET', `${path}/${id}`, { as: owner }))).toEqual([
          404,
          'not found',
        ])
        expect((await call(site, 'PATCH', `${path}/${id}`, { as: owner, body: { config: 1 } })).status).toBe(
          404,
        )
      }
    },
  )

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/999999'],
    ['PATCH', '/999999'],
    ['DELETE', '/999999'],
    ['POST', '/999999/deliveries/1/attempts'],
    ['POST', '/999999/replay'],
    ['POST', '/999999/pings'],
    ['POST', '/999999/tests'],
  ] as const)('require a token with the scope and level of their owner for %s %s', async (method, path) => {
    await requireScopes(method, path, [])
  })

  it.each([
    ['GET', '/999999/deliveries'],
    ['GET', '/999999/deliveries/1'],
    ['POST', '/999999/dry-run'],
    ['GET', '/events'],
    ['GET', '/events/1'],
  ] as const)(
    'require a token with repository scope in addition for %s %s, which shows repositories',
    async (method, path) => {
      await requireScopes(method, path, ['repository'])
    },
  )

  /** Creates a webhook for each kind of owner, and a public-only token of a user who manages them all. */
  async function makeLimited() {
    const { owner, org, repository, paths } = await makeScopes()
    const hooks = [
      await makeHook(site, { owner_id: org.id }),
      await makeHook(site, { repository_id: repository.id }),
      await makeHook(site, { owner_id: owner.account.id }),
      await makeHook(site, { scope: 'default' }),
    ]
    const limited = { token: await makeToken(site, owner.account.id, ['public-only', 'all']) }
    return { paths, hooks, limited }
  }

  it('hide the events and deliveries of many repositories from a token limited to public data (403)', async () => {
    const { paths, hooks, limited } = await makeLimited()
    for (const [at, path] of paths.entries()) {
      for (const about of [`${path}/events`, `${path}/${hooks[at]!.id}/deliveries`]) {
        const { status } = await call(site, 'GET', about, { as: limited })
        expect([about, status]).toEqual([about, path.startsWith('/repos/') ? 200 : 403])
      }
    }
  })

  it('cannot be pointed to another URL by a token limited to public data if they cover many repositories (403)', async () => {
    const { paths, hooks, limited } = await makeLimited()
    for (const [at, path] of paths.entries()) {
      const isOfRepository = path.startsWith('/repos/')
      const added = await call(site, 'POST', path, { as: limited, body: { type: 'gitea', config } })
      expect([path, added.status]).toEqual([path, isOfRepository ? 201 : 403])
      const one = `${path}/${hooks[at]!.id}`
      const changed = await call(site, 'PATCH', one, { as: limited, body: { config } })
      expect([one, changed.status]).toEqual([one, isOfRepository ? 200 : 403])
    }
  })
})

describe('a webhook whose sealed values cannot be decrypted', () => {
  const silent = useSite({ logLevel: 'silent' })

  it('is shown without its URL, and can be given a new one', async () => {
    const owner = await makePerson(silent)
    const broken = {
      url_sealed: Buffer.from('sealed by another key'),
      secret_sealed: Buffer.from('this too'),
    }
    const { id } = await makeHook(silent, { owner_id: owner.account.id }, broken)
    const on = (method: string, body?: object) =>
      call(silent, method, `/user/hooks/${id}`, { as: owner, body })
    expect((await on('GET')).body.config.url).toBe('')
    expect((await on('PATCH', { config: { ...config, secret: '' } })).body.config.url).toBe(config.url)
  })

  it('signs only with its new secret, as the former one cannot be decrypted', async () => {
    const owner = await makePerson(silent)
    const broken = { secret_sealed: Buffer.from('sealed by another key') }
    const { id } = await makeHook(silent, { owner_id: owner.account.id }, broken)
    const body = { config: { secret: 'a new one' } }
    expect((await call(silent, 'PATCH', `/user/hooks/${id}`, { as: owner, body })).status).toBe(200)
    const { former_secret_sealed: former } = await silent.db
      .selectFrom('hooks')
      .select('former_secret_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(former).toBeNull()
  })
})

describe('a site with webhooks disabled', () => {
  const quiet = useSite({ webhooks: false })
  const off = [403, 'webhooks disabled by administrator']

  it('returns 403 to everyone for reading, creating, and using webhooks, with the reason only for those with access', async () => {
    const owner: Person = await makePerson(quiet, { is_admin: true })
    const stranger = await makePerson(quiet)
    const org = await makeOrg(quiet.db, owner.account.id)
    for (const path of [`/orgs/${org.name}/hooks`, '/user/hooks', '/admin/hooks']) {
      for (const [method, body] of [['GET'], ['POST', newHook]] as const) {
        const answer = await call(quiet, method, path, { as: owner, body })
        expect(statusAndMessage(answer)).toEqual(off)
      }
    }
    const { id } = await makeHook(quiet, { owner_id: owner.account.id })
    for (const path of ['events', `${id}`, `${id}/deliveries`, `${id}/pings`, `${id}/dry-run`]) {
      const method = /pings|dry-run/.test(path) ? 'POST' : 'GET'
      expect(statusAndMessage(await call(quiet, method, `/user/hooks/${path}`, { as: owner }))).toEqual(off)
    }
    expect(statusAndMessage(await call(quiet, 'GET', `/orgs/${org.name}/hooks`, { as: stranger }))).toEqual(
      refusals.notOwner,
    )
  })
})
