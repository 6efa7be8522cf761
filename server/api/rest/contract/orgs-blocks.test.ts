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
  it('returns 403 for reading and changing an organization’s blocks', async () => {
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
  it('returns 204, blocks the user for the organization but not for the owner, and records an event', async () => {
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

  it('returns 204 to site administrators', async () => {
    const { bob, root, path } = await makeWorld()
    expect(await on('PUT', `${path}/${bob.name}`, root)).toEqual(done)
  })

  it('returns 400 with the reason for a member, the caller, an organization, and an already blocked user', async () => {
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

  it('returns 204 and 400 for two concurrent requests, and blocks once', async () => {
    const { owner, bob, path } = await makeWorld()
    const twice = await Promise.all([1, 2].map(() => on('PUT', `${path}/${bob.name}`, owner)))
    expect(twice.map(([status]) => status).sort()).toEqual([204, 400])
  })

  it('returns 404 for an unknown or hidden user, and 422 for a note that is too long', async () => {
    const { owner, bob, path } = await makeWorld()
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of ['nobody-here', hidden.name]) {
      expect((await on('PUT', `${path}/${name}`, owner))[0]).toBe(404)
    }
    expect((await on('PUT', `${path}/${bob.name}?note=${'x'.repeat(256)}`, owner))[0]).toBe(422)
  })

  it('returns 204 and ends the user’s collaborations on the organization’s repositories, but not on others', async () => {
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
  it('returns 204 and ends the collaborations of both users on each other’s repositories', async () => {
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

  it('returns 204 to two users who block each other concurrently', async () => {
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

  it('returns 400 for an organization, and 404 for one hidden from the caller', async () => {
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
  it('returns 204 and unblocks even a hidden user, 400 if the user is not blocked, and 404 if unknown or hidden', async () => {
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
  it('returns 200 and the blocked users, with count and links, to owners and site administrators', async () => {
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

describe('/orgs/{org}/blocks', () => {
  it('returns 403 to members and outsiders, and 401 without credentials', async () => {
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

  it('returns 404 for a private organization to outsiders, for a user, and for an unknown name', async () => {
    const { outsider, owner, path } = await makeWorld({ visibility: 'private' })
    expect((await on('GET', path, outsider))[0]).toBe(404)
    expect((await on('GET', `/orgs/${owner.name}/blocks`, owner))[0]).toBe(404)
    expect((await on('GET', '/orgs/nobody-here/blocks', owner))[0]).toBe(404)
  })
})

describe('isBlockedBetween', () => {
  it('returns true for a block in either direction with any of the accounts', async () => {
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

  it('ignores blocks against a site administrator as the target, but not blocks by one', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    expect(await on('PUT', `/user/blocks/${root.name}`, ada)).toEqual(done)
    expect(await isBlockedBetween(site.db, [ada.account.id], root.account.id)).toBe(false)
    // Blocks count if the administrator is the one who acts: users can refuse to be added by one.
    expect(await isBlockedBetween(site.db, [root.account.id], ada.account.id)).toBe(true)
    await on('DELETE', `/user/blocks/${root.name}`, ada)
    await on('PUT', `/user/blocks/${ada.name}`, root)
    expect(await isBlockedBetween(site.db, [ada.account.id], root.account.id)).toBe(true)
  })
})
