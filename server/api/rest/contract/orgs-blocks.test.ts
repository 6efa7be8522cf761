import { describe, expect, it } from 'vitest'
import { addToOrg, makeOrg, makeRepository } from '@/db/testing/factories'
import { isBlockedBetween } from '@/server/blocks'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [owner, member, outsider, bob, root] = await Promise.all([
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site, { is_admin: true }),
  ])
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id)
  return { org, owner, member, outsider, bob, root, path: `/orgs/${org.name}/blocks` }
}

async function on(method: string, path: string, as?: Person): Promise<[number, string | undefined]> {
  const answer = await call(site, method, path, { as })
  return [answer.status, answer.body?.message]
}

const done = [204, undefined]

describe('a token limited to public data', () => {
  it('403: neither sees nor changes whom an organization blocks', async () => {
    const { owner, bob, path } = await makeWorld()
    const token = await makeToken(site, owner.account.id, ['public-only', 'write:organization'])
    const asked: [string, string][] = [
      ['GET', path],
      ['GET', `${path}/${bob.name}`],
      ['PUT', `${path}/${bob.name}`],
      ['DELETE', `${path}/${bob.name}`],
    ]
    for (const [method, at] of asked) {
      const answer = await call(site, method, at, { as: { token } })
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'this endpoint is not available for public-only tokens',
      ])
    }
  })
})

describe('PUT /orgs/{org}/blocks/{username}', () => {
  it('204: an owner blocks for the organization, not for themselves, and GET confirms', async () => {
    const { org, owner, bob, path } = await makeWorld()
    expect(await on('GET', `${path}/${bob.name}`, owner)).toEqual([404, 'not found'])
    expect(await on('PUT', `${path}/${bob.name.toUpperCase()}?note=spam`, owner)).toEqual(done)
    expect(await on('GET', `${path}/${bob.name}`, owner)).toEqual(done)
    expect((await on('GET', `/user/blocks/${bob.name}`, owner))[0]).toBe(404)
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'data'])
      .where('owner_id', '=', org.id)
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      kind: 'user.blocked',
      actor_id: owner.account.id,
      data: { userId: bob.account.id, name: bob.name },
    })
  })

  it('204: site admins may', async () => {
    const { bob, root, path } = await makeWorld()
    expect(await on('PUT', `${path}/${bob.name}`, root)).toEqual(done)
  })

  it('400: a member, the owner who asks, an organization, somebody blocked already: each with its reason', async () => {
    const { org, owner, member, bob, path } = await makeWorld()
    const refused = (why: string) => [400, expect.stringMatching(why)]
    expect(await on('PUT', `${path}/${member.name}`, owner)).toEqual(
      refused('^cannot block the user: .*member'),
    )
    expect(await on('PUT', `${path}/${owner.name}`, owner)).toEqual(refused('^cannot block the user: .*you'))
    expect(await on('PUT', `${path}/${org.name}`, owner)).toEqual(refused('^cannot block an organization'))
    await on('PUT', `${path}/${bob.name}`, owner)
    expect(await on('PUT', `${path}/${bob.name}`, owner)).toEqual(
      refused('^cannot block the user: .*already'),
    )
  })

  it('204 and 400: twice at once, one block', async () => {
    const { owner, bob, path } = await makeWorld()
    const twice = await Promise.all([1, 2].map(() => on('PUT', `${path}/${bob.name}`, owner)))
    expect(twice.map(([status]) => status).sort()).toEqual([204, 400])
  })

  it('404: somebody unknown or hidden; 422: a note too long', async () => {
    const { owner, bob, path } = await makeWorld()
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of ['nobody-here', hidden.name]) {
      expect((await on('PUT', `${path}/${name}`, owner))[0]).toBe(404)
    }
    expect((await on('PUT', `${path}/${bob.name}?note=${'x'.repeat(256)}`, owner))[0]).toBe(422)
  })

  it('204: the person is no collaborator of its repositories anymore, and still one of others', async () => {
    const { org, owner, bob, path } = await makeWorld()
    const [ours, other] = [
      await makeRepository(site.db, org.id),
      await makeRepository(site.db, owner.account.id),
    ]
    for (const { id } of [ours, other]) await collaborate(id, bob)
    expect(await on('PUT', `${path}/${bob.name}`, owner)).toEqual(done)
    expect(await collaborationsOf(bob)).toEqual([other.id])
  })
})

const collaborate = (repository_id: number, { account }: Person) =>
  site.db
    .insertInto('repository_collaborators')
    .values({ repository_id, user_id: account.id, mode: 'write' })
    .execute()

async function collaborationsOf({ account }: Person): Promise<number[]> {
  const rows = await site.db
    .selectFrom('repository_collaborators')
    .select('repository_id')
    .where('user_id', '=', account.id)
    .execute()
  return rows.map(row => row.repository_id)
}

describe('PUT /user/blocks/{username}', () => {
  it('204: neither is a collaborator of the other anymore', async () => {
    const [ada, bob, eve] = [await makePerson(site), await makePerson(site), await makePerson(site)]
    const [hers, his] = [
      await makeRepository(site.db, ada.account.id),
      await makeRepository(site.db, bob.account.id),
    ]
    await collaborate(hers.id, bob)
    await collaborate(his.id, ada)
    for (const { id } of [hers, his]) await collaborate(id, eve)
    expect(await on('PUT', `/user/blocks/${bob.name}`, ada)).toEqual(done)
    expect([await collaborationsOf(ada), await collaborationsOf(bob)]).toEqual([[], []])
    expect(await collaborationsOf(eve)).toHaveLength(2)
  })

  it('204: two people block each other at once', async () => {
    for (let round = 0; round < 3; round++) {
      const [ada, bob] = [await makePerson(site), await makePerson(site)]
      const [hers, his] = [
        await makeRepository(site.db, ada.account.id),
        await makeRepository(site.db, bob.account.id),
      ]
      await collaborate(hers.id, bob)
      await collaborate(his.id, ada)
      const answers = await Promise.all([
        on('PUT', `/user/blocks/${bob.name}`, ada),
        on('PUT', `/user/blocks/${ada.name}`, bob),
      ])
      expect(answers).toEqual([done, done])
    }
  })

  it('400: an organization; 404: one the caller may not see', async () => {
    const ada = await makePerson(site)
    const open = await makeOrg(site.db, (await makePerson(site)).account.id)
    const hidden = await makeOrg(site.db, (await makePerson(site)).account.id, { visibility: 'private' })
    expect(await on('PUT', `/user/blocks/${open.name}`, ada)).toEqual([
      400,
      expect.stringMatching(/^cannot block an organization/),
    ])
    expect((await on('PUT', `/user/blocks/${hidden.name}`, ada))[0]).toBe(404)
    expect((await on('GET', `/user/blocks/${open.name}`, ada))[0]).toBe(404)
    expect((await on('DELETE', `/user/blocks/${open.name}`, ada))[0]).toBe(400)
  })
})

describe('DELETE /orgs/{org}/blocks/{username}', () => {
  it('204: unblocks, somebody hidden by now too; 400: somebody not blocked; 404: unknown or hidden', async () => {
    const { owner, bob, path } = await makeWorld()
    await on('PUT', `${path}/${bob.name}`, owner)
    await site.db
      .updateTable('users')
      .set({ visibility: 'private' })
      .where('id', '=', bob.account.id)
      .execute()
    expect(await on('DELETE', `${path}/${bob.name}`, owner)).toEqual(done)
    expect((await on('DELETE', `${path}/${bob.name}`, owner))[0]).toBe(404)
    const eve = await makePerson(site)
    expect(await on('DELETE', `${path}/${eve.name}`, owner)).toEqual([
      400,
      expect.stringMatching(/^cannot unblock the user/),
    ])
    expect((await on('DELETE', `${path}/nobody-here`, owner))[0]).toBe(404)
  })
})

describe('GET /orgs/{org}/blocks', () => {
  it('200: whom the organization blocks, with count and links, to owners and site admins', async () => {
    const { owner, root, bob, outsider, path } = await makeWorld()
    for (const { name } of [bob, outsider]) await on('PUT', `${path}/${name}`, owner)
    const blocked = [bob, outsider].sort((one, other) => one.account.id - other.account.id)
    for (const as of [owner, root]) {
      const answer = await call(site, 'GET', `${path}?limit=1`, { as })
      expect(answer.body.map((user: { login: string }) => user.login)).toEqual([blocked[0]?.name])
      expect(answer.headers.get('x-total-count')).toBe('2')
      expect(answer.headers.get('link')).toContain(`<${site.url}/api/v1${path}?limit=1&page=2>; rel="next"`)
    }
    expect((await call(site, 'GET', '/user/blocks', { as: owner })).body).toEqual([])
  })
})

describe('the blocks of an organization', () => {
  it('403: members and outsiders; 401: nobody without credentials', async () => {
    const { member, outsider, bob, path } = await makeWorld()
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', `/${bob.name}`],
      ['PUT', `/${bob.name}`],
      ['DELETE', `/${bob.name}`],
    ] as const) {
      for (const as of [member, outsider]) {
        expect(await on(method, path + suffix, as)).toEqual([403, 'Must be an organization owner'])
      }
      expect((await on(method, path + suffix))[0]).toBe(401)
    }
  })

  it('404: of a private one to outsiders, of a person, of nobody', async () => {
    const { outsider, owner, path } = await makeWorld({ visibility: 'private' })
    expect((await on('GET', path, outsider))[0]).toBe(404)
    expect((await on('GET', `/orgs/${owner.name}/blocks`, owner))[0]).toBe(404)
    expect((await on('GET', '/orgs/nobody-here/blocks', owner))[0]).toBe(404)
  })
})

describe('isBlockedBetween', () => {
  it('is true in either direction, for any of the accounts asked about', async () => {
    const { org, owner, bob, outsider, path } = await makeWorld()
    const accounts = [org.id, outsider.account.id]
    expect(await isBlockedBetween(site.db, accounts, bob.account.id)).toBe(false)
    await on('PUT', `${path}/${bob.name}`, owner)
    expect(await isBlockedBetween(site.db, accounts, bob.account.id)).toBe(true)
    await on('DELETE', `${path}/${bob.name}`, owner)
    await on('PUT', `/user/blocks/${outsider.name}`, bob)
    expect(await isBlockedBetween(site.db, accounts, bob.account.id)).toBe(true)
    expect(await isBlockedBetween(site.db, [org.id], bob.account.id)).toBe(false)
    expect(await isBlockedBetween(site.db, [], bob.account.id)).toBe(false)
  })

  it('a site admin cannot be blocked, but can block', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    expect(await on('PUT', `/user/blocks/${root.name}`, ada)).toEqual(done)
    expect(await isBlockedBetween(site.db, [ada.account.id], root.account.id)).toBe(false)
    // The one who acts is no target: somebody may refuse to be added by an administrator.
    expect(await isBlockedBetween(site.db, [root.account.id], ada.account.id)).toBe(true)
    await on('DELETE', `/user/blocks/${root.name}`, ada)
    await on('PUT', `/user/blocks/${ada.name}`, root)
    expect(await isBlockedBetween(site.db, [ada.account.id], root.account.id)).toBe(true)
  })
})
