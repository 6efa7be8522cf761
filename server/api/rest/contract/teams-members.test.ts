import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()

const logins = (answer: { body: { login: string }[] }) => answer.body.map(user => user.login)
const put = (as: Person, team: { id: number }, name: string) =>
  call(site, 'PUT', `/teams/${team.id}/members/${name}`, { as })
const remove = (as: Person, team: { id: number }, name: string) =>
  call(site, 'DELETE', `/teams/${team.id}/members/${name}`, { as })

async function membership(org: { id: number }, person: Person) {
  return await site.db
    .selectFrom('organization_members')
    .select('is_public')
    .where('org_id', '=', org.id)
    .where('user_id', '=', person.account.id)
    .executeTakeFirst()
}

const block = (blockerId: number, blockedId: number) =>
  site.db.insertInto('user_blocks').values({ blocker_id: blockerId, blocked_id: blockedId }).execute()

describe('GET /teams/{id}/members', () => {
  it('returns 200 to the organization’s members and site administrators, and 404 to others', async () => {
    const { root, owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const people = [root, owner, inTeam, member, outsider, undefined]
    for (const path of [`/teams/${team.id}/members`, `/teams/${team.id}/members/${inTeam.name}`]) {
      expect(await answersTo(site, 'GET', path, people)).toEqual([
        [200, undefined],
        [200, undefined],
        [200, undefined],
        [200, undefined],
        refusals.hidden,
        refusals.anonymous,
      ])
    }
    expect(await answersTo(site, 'GET', '/teams/999999999/members', [root])).toEqual([refusals.hidden])
  })

  it('returns 200 and members by full name, then name, ignoring case, with count and links', async () => {
    const { owner, org } = await makeTeamCast(site)
    const team = await makeTeam(site.db, org.id)
    const names: [string, string][] = [
      ['zoe-of-members', ''],
      ['Carl-of-members', 'ada'],
      ['bea-of-members', 'Ada'],
      ['abe-of-members', 'Bob'],
    ]
    for (const [name, full_name] of names) {
      await addToTeam(site.db, team, (await makePerson(site, { name, full_name })).account.id)
    }
    const path = `/teams/${team.id}/members`
    const all = await call(site, 'GET', path, { as: owner })
    const order = ['zoe-of-members', 'bea-of-members', 'Carl-of-members', 'abe-of-members']
    expect([logins(all), all.headers.get('x-total-count')]).toEqual([order, '4'])
    const second = await call(site, 'GET', `${path}?page=2&limit=3`, { as: owner })
    expect([logins(second), second.headers.get('x-total-count')]).toEqual([order.slice(3), '4'])
    expect(second.headers.get('link')).toContain(`<${site.url}/api/v1${path}?limit=3&page=1>; rel="prev"`)
    const past = await call(site, 'GET', `${path}?page=3&limit=3`, { as: owner })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '4'])
  })

  it('returns 200 in the same order, however large the team and the page number are', async () => {
    const { owner, org } = await makeTeamCast(site)
    const team = await makeTeam(site.db, org.id)
    const made: string[] = []
    for (let count = 0; count < 40; count++) {
      const person = await makePerson(site, { full_name: `Person ${String(count).padStart(2, '0')}` })
      await addToTeam(site.db, team, person.account.id)
      made.push(person.name)
    }
    const path = `/teams/${team.id}/members`
    // Early pages of a large team use another query plan than later ones.
    const small = await call(site, 'GET', `${path}?limit=2`, { as: owner })
    expect(logins(small)).toEqual(made.slice(0, 2))
    const deep = await call(site, 'GET', `${path}?limit=10&page=4`, { as: owner })
    expect(logins(deep)).toEqual(made.slice(30))
  })

  it('returns 200 and only public members of the organization for a token limited to public data', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site)
    const shown = await makePerson(site)
    await addToOrg(site.db, org.id, shown.account.id, true)
    await addToTeam(site.db, team, shown.account.id)
    const as = { token: await makeToken(site, owner.account.id, ['public-only', 'read:organization']) }
    const list = await call(site, 'GET', `/teams/${team.id}/members`, { as })
    expect([logins(list), list.headers.get('x-total-count')]).toEqual([[shown.name], '1'])
    const one = (person: Person) => call(site, 'GET', `/teams/${team.id}/members/${person.name}`, { as })
    expect([(await one(shown)).status, (await one(inTeam)).status]).toEqual([200, 404])
  })
})

describe('GET /teams/{id}/members/{username}', () => {
  it('returns 200 and the user, ignoring the name’s case', async () => {
    const { owner, inTeam, team } = await makeTeamCast(site)
    const path = `/teams/${team.id}/members/${inTeam.name.toUpperCase()}`
    expect((await call(site, 'GET', path, { as: owner })).body).toMatchObject({
      id: inTeam.account.id,
      login: inTeam.name,
    })
  })

  it('returns 404 for a user who is not in the team, and for an unknown name', async () => {
    const { owner, member, org, team } = await makeTeamCast(site)
    for (const name of [member.name, owner.name, org.name, 'nobody-here', '%00']) {
      const answer = await call(site, 'GET', `/teams/${team.id}/members/${name}`, { as: owner })
      expect([name, answer.status]).toEqual([name, 404])
    }
  })
})

describe('/teams/{id}/members/{username} of a hidden user', () => {
  it('returns the same 404 as for an unknown name to GET, PUT, and DELETE', async () => {
    const { owner, org, team } = await makeTeamCast(site)
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const name of [hidden.name, 'nobody-here', org.name]) {
        const answer = await call(site, method, `/teams/${team.id}/members/${name}`, { as: owner })
        expect([method, name, ...statusAndMessage(answer)]).toEqual([method, name, 404, 'not found'])
      }
    }
    expect(await membership(org, hidden)).toBeUndefined()
  })

  it('returns 204 to site administrators, after which the user is shown like any member', async () => {
    const { root, owner, team } = await makeTeamCast(site)
    const hidden = await makePerson(site, { visibility: 'private' })
    expect((await put(root, team, hidden.name)).status).toBe(204)
    const path = `/teams/${team.id}/members/${hidden.name}`
    expect((await call(site, 'GET', path, { as: owner })).status).toBe(200)
    expect((await put(owner, team, hidden.name)).status).toBe(204)
    expect((await remove(hidden, team, hidden.name)).status).toBe(204)
  })

  it('returns 403 for a token limited to public data, also for limited accounts and members', async () => {
    const { owner, outsider, inTeam, team } = await makeTeamCast(site)
    const ids = [outsider, inTeam].map(person => person.account.id)
    await site.db.updateTable('users').set({ visibility: 'limited' }).where('id', 'in', ids).execute()
    const as = { token: await makeToken(site, owner.account.id, ['public-only', 'write:organization']) }
    for (const person of [outsider, inTeam]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await call(site, method, `/teams/${team.id}/members/${person.name}`, { as })
        expect(statusAndMessage(answer)).toEqual([403, 'token scope is limited to public users'])
      }
    }
  })
})

describe('PUT /teams/{id}/members/{username}', () => {
  it('returns 204 to owners and site administrators, 403 to members, and 404 to outsiders', async () => {
    const { root, owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const path = `/teams/${team.id}/members/${member.name}`
    expect(await answersTo(site, 'PUT', path, [root, owner, inTeam, member, outsider, undefined])).toEqual([
      [204, undefined],
      [204, undefined],
      refusals.notOwner,
      refusals.notOwner,
      refusals.hidden,
      refusals.anonymous,
    ])
  })

  it('returns 204 and adds the user to the team and, as a private member, to the organization, once', async () => {
    const { owner, outsider, org, team } = await makeTeamCast(site)
    for (let count = 0; count < 2; count++) {
      expect((await put(owner, team, outsider.name.toUpperCase())).status).toBe(204)
    }
    expect(logins(await call(site, 'GET', `/teams/${team.id}/members`, { as: outsider }))).toContain(
      outsider.name,
    )
    expect(await membership(org, outsider)).toEqual({ is_public: false })
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .execute()
    const data = { teamId: team.id, team: team.name, memberId: outsider.account.id, member: outsider.name }
    const { memberId, member } = data
    expect(events).toEqual([
      { kind: 'org.member_added', data: { memberId, member } },
      { kind: 'team.member_added', data },
    ])
  })

  it('returns 204 and keeps a public membership public', async () => {
    const { owner, org, team } = await makeTeamCast(site)
    const ada = await makePerson(site)
    await addToOrg(site.db, org.id, ada.account.id, true)
    expect((await put(owner, team, ada.name)).status).toBe(204)
    expect(await membership(org, ada)).toEqual({ is_public: true })
  })

  it('returns 204 to two concurrent requests', async () => {
    const { owner, outsider, team } = await makeTeamCast(site)
    const both = await Promise.all([put(owner, team, outsider.name), put(owner, team, outsider.name)])
    expect(both.map(answer => answer.status)).toEqual([204, 204])
  })

  it('returns 404 for an unknown user, an organization, or an unknown team', async () => {
    const { owner, org, team } = await makeTeamCast(site)
    for (const name of ['nobody-here', org.name, '%00']) {
      expect([name, (await put(owner, team, name)).status]).toEqual([name, 404])
    }
    expect((await put(owner, { id: 999_999_999 }, owner.name)).status).toBe(404)
  })

  describe('for a blocked user', () => {
    it.each<[string, (cast: Awaited<ReturnType<typeof makeTeamCast>>) => [number, number]]>([
      ['by the organization', ({ org, outsider }) => [org.id, outsider.account.id]],
      ['by the caller', ({ owner, outsider }) => [owner.account.id, outsider.account.id]],
      ['when they block the caller', ({ owner, outsider }) => [outsider.account.id, owner.account.id]],
      ['when they block the organization', ({ org, outsider }) => [outsider.account.id, org.id]],
    ])('returns 403: %s', async (_, pair) => {
      const cast = await makeTeamCast(site)
      await block(...pair(cast))
      const { owner, outsider, org, team } = cast
      expect(statusAndMessage(await put(owner, team, outsider.name))).toEqual([403, 'user is blocked'])
      expect(await membership(org, outsider)).toBeUndefined()
    })

    it('returns 204 if the block is between other users', async () => {
      const { owner, inTeam, outsider, team } = await makeTeamCast(site)
      await block(inTeam.account.id, outsider.account.id)
      expect((await put(owner, team, outsider.name)).status).toBe(204)
    })
  })
})

describe('DELETE /teams/{id}/members/{username}', () => {
  it('returns 204 to owners and site administrators, 403 to members, and 404 to outsiders', async () => {
    const { root, owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const path = `/teams/${team.id}/members/${owner.name}`
    expect(await answersTo(site, 'DELETE', path, [root, owner, inTeam, member, outsider, undefined])).toEqual(
      [
        [204, undefined],
        [204, undefined],
        refusals.notOwner,
        refusals.notOwner,
        refusals.hidden,
        refusals.anonymous,
      ],
    )
  })

  it('returns 204 to members for themselves', async () => {
    const { inTeam, team, owner } = await makeTeamCast(site)
    expect((await remove(inTeam, team, inTeam.name.toUpperCase())).status).toBe(204)
    expect(logins(await call(site, 'GET', `/teams/${team.id}/members`, { as: owner }))).toEqual([])
  })

  it('returns 204 and removes members from the organization only with their last team', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    await addToTeam(site.db, other, inTeam.account.id)
    expect((await remove(owner, team, inTeam.name)).status).toBe(204)
    expect(await membership(org, inTeam)).toBeDefined()
    expect((await remove(owner, other, inTeam.name)).status).toBe(204)
    expect(await membership(org, inTeam)).toBeUndefined()
    const events = await site.db
      .selectFrom('events')
      .select('data')
      .where('owner_id', '=', org.id)
      .orderBy('id')
      .execute()
    const who = { memberId: inTeam.account.id, member: inTeam.name }
    expect(events.map(event => event.data)).toEqual([
      { teamId: team.id, team: team.name, ...who, leftOrganization: false },
      who,
      { teamId: other.id, team: other.name, ...who, leftOrganization: true },
    ])
  })

  it('returns 204 for a user who is not in the team, and changes nothing', async () => {
    const { owner, member, org, team } = await makeTeamCast(site)
    expect((await remove(owner, team, member.name)).status).toBe(204)
    expect(await membership(org, member)).toBeDefined()
  })

  it('returns 404 for an unknown user, an organization, or an unknown team', async () => {
    const { owner, org, team } = await makeTeamCast(site)
    for (const name of ['nobody-here', org.name]) {
      expect([name, (await remove(owner, team, name)).status]).toEqual([name, 404])
    }
    expect((await remove(owner, { id: 999_999_999 }, owner.name)).status).toBe(404)
  })

  it('returns 422 for the last owner to anyone, and says what to do first', async () => {
    const { root, owner, org } = await makeTeamCast(site)
    const owners = { id: org.ownersTeamId }
    for (const as of [owner, root]) {
      expect(statusAndMessage(await remove(as, owners, owner.name))).toEqual([
        422,
        expect.stringContaining('this is the last owner of the organization'),
      ])
    }
    expect((await remove(root, owners, root.name)).status).toBe(204)
  })

  it('returns 204 to one of the last two owners leaving concurrently, and 422 to the other', async () => {
    const { owner, inTeam, org } = await makeTeamCast(site)
    const owners = { id: org.ownersTeamId, org_id: org.id }
    await addToTeam(site.db, owners, inTeam.account.id)
    const both = await Promise.all([owner, inTeam].map(as => remove(as, owners, as.name)))
    expect(both.map(answer => answer.status).sort()).toEqual([204, 422])
  })

  it('keeps users in the organization who are concurrently added to another team (204)', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    const both = await Promise.all([remove(owner, team, inTeam.name), put(owner, other, inTeam.name)])
    expect(both.map(answer => answer.status)).toEqual([204, 204])
    expect(await membership(org, inTeam)).toBeDefined()
    expect(logins(await call(site, 'GET', `/teams/${other.id}/members`, { as: owner }))).toEqual([
      inTeam.name,
    ])
  })
})
