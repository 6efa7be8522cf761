import { describe, expect, it } from 'vitest'
import { addToOrg, makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [owner, member, outsider, root] = await Promise.all([
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site, { is_admin: true }),
  ])
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id)
  return { org, owner, member, outsider, root, path: `/orgs/${org.name}/public_members` }
}

async function on(method: string, path: string, as?: Person): Promise<[number, string | undefined]> {
  const answer = await call(site, method, path, { as })
  return [answer.status, answer.body?.message]
}

const done = [204, undefined]
const refused = [403, 'Cannot change member visibility']

describe('/orgs/{org}/public_members/{username}', () => {
  it('returns 204 when members publish or conceal themselves, repeatedly, as GET shows', async () => {
    const { member, path } = await makeWorld()
    const own = `${path}/${member.name}`
    expect(await on('GET', own)).toEqual([404, 'not found'])
    for (let time = 0; time < 2; time++) expect(await on('PUT', own, member)).toEqual(done)
    expect(await on('GET', own)).toEqual(done)
    for (let time = 0; time < 2; time++) expect(await on('DELETE', own, member)).toEqual(done)
    expect(await on('GET', own, member)).toEqual([404, 'not found'])
  })

  it('returns 204 to owners and site administrators for any member', async () => {
    const { owner, member, root, path } = await makeWorld()
    for (const as of [owner, root]) {
      expect(await on('PUT', `${path}/${member.name}`, as)).toEqual(done)
      expect(await on('GET', `${path}/${member.name}`)).toEqual(done)
      expect(await on('DELETE', `${path}/${member.name}`, as)).toEqual(done)
    }
  })

  it('returns 403 for publishing another member whose account is not public, but 204 to that member', async () => {
    const { org, owner, root, path } = await makeWorld()
    for (const visibility of ['limited', 'private'] as const) {
      const hidden = await makePerson(site, { visibility })
      await addToOrg(site.db, org.id, hidden.account.id)
      for (const as of [owner, root]) expect(await on('PUT', `${path}/${hidden.name}`, as)).toEqual(refused)
      expect((await call(site, 'GET', path)).body).toEqual([])
      expect(await on('PUT', `${path}/${hidden.name}`, hidden)).toEqual(done)
      expect(await on('GET', `${path}/${hidden.name}`)).toEqual(done)
      expect(await on('DELETE', `${path}/${hidden.name}`, owner)).toEqual(done)
    }
  })

  it('returns the same 404 for a hidden account as for an unknown one', async () => {
    const { owner, path } = await makeWorld()
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of [hidden.name, 'nobody-here']) {
      expect(await on('PUT', `${path}/${name}`, owner)).toEqual([404, 'not found'])
    }
  })

  it('records one event for each change, and none for a repetition', async () => {
    const { org, member, path } = await makeWorld()
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE'])
      await on(method, `${path}/${member.name}`, member)
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { kind: 'org.member_published', data: { memberId: member.account.id, member: member.name } },
      { kind: 'org.member_concealed', data: { memberId: member.account.id, member: member.name } },
    ])
  })

  it('returns 403 to members for others and to outsiders for anyone, even for an unknown name', async () => {
    const { owner, member, outsider, path } = await makeWorld()
    for (const method of ['PUT', 'DELETE']) {
      expect(await on(method, `${path}/${owner.name}`, member)).toEqual(refused)
      expect(await on(method, `${path}/${owner.name}`, outsider)).toEqual(refused)
      expect(await on(method, `${path}/nobody-here`, member)).toEqual(refused)
    }
  })

  it('returns 404 for a user who is not a member or unknown, and 401 without credentials', async () => {
    const { owner, outsider, path } = await makeWorld()
    for (const method of ['PUT', 'DELETE']) {
      expect((await on(method, `${path}/${outsider.name}`, owner))[0]).toBe(404)
      expect((await on(method, `${path}/${outsider.name}`, outsider))[0]).toBe(404)
      expect((await on(method, `${path}/nobody-here`, owner))[0]).toBe(404)
      expect((await on(method, `${path}/${owner.name}`))[0]).toBe(401)
    }
  })

  it('returns 404 for a private organization to outsiders', async () => {
    const { owner, outsider, path } = await makeWorld({ visibility: 'private' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await on(method, `${path}/${owner.name}`, outsider))[0]).toBe(404)
    }
  })
})

describe('GET /orgs/{org}/public_members', () => {
  it('returns 200 and the public members, with their count, to members as to everyone', async () => {
    const { owner, member, path } = await makeWorld()
    await on('PUT', `${path}/${member.name}`, member)
    const token = await makeToken(site, owner.account.id, ['public-only', 'read:organization'])
    for (const as of [undefined, owner, { token }]) {
      const answer = await call(site, 'GET', path, { as })
      expect(answer.body.map((user: { login: string }) => user.login)).toEqual([member.name])
      expect(answer.headers.get('x-total-count')).toBe('1')
    }
  })

  it('returns 200 and pages with links', async () => {
    const { owner, member, path } = await makeWorld()
    for (const as of [owner, member]) await on('PUT', `${path}/${as.name}`, as)
    const answer = await call(site, 'GET', `${path}?limit=1&page=2`)
    expect(answer.body).toHaveLength(1)
    expect(answer.headers.get('link')).toContain(`<${site.url}/api/v1${path}?limit=1&page=1>; rel="first"`)
  })
})
