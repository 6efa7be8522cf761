import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Creates an organization with an owner, a private member, and a public member. */
async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [owner, member, known, outsider, root] = await Promise.all([
    makePerson(site, { full_name: 'Zoe' }),
    makePerson(site, { full_name: 'bea' }),
    makePerson(site, { full_name: 'Ada' }),
    makePerson(site),
    makePerson(site, { is_admin: true }),
  ])
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id)
  await addToOrg(site.db, org.id, known.account.id, true)
  return { org, owner, member, known, outsider, root }
}

const on = (method: string, path: string, as?: Person): Promise<Answer> => call(site, method, path, { as })
const logins = ({ body }: Answer) => body.map((user: { login: string }) => user.login)
const total = ({ headers }: Answer) => headers.get('x-total-count')

async function ownersOf(orgId: number): Promise<number> {
  const team = await site.db
    .selectFrom('teams')
    .select('member_count')
    .where('org_id', '=', orgId)
    .where('is_owners', '=', true)
    .executeTakeFirstOrThrow()
  return team.member_count
}

describe('GET /orgs/{org}/members', () => {
  it('returns 200 and all members to members and site administrators, by full name and then name, ignoring case', async () => {
    const { org, owner, member, known, root } = await makeWorld()
    for (const as of [owner, member, known, root]) {
      const answer = await on('GET', `/orgs/${org.name}/members`, as)
      expect([answer.status, logins(answer)]).toEqual([200, [known.name, member.name, owner.name]])
      expect(total(answer)).toBe('3')
    }
  })

  it('returns 200 and only public members, with their count, to everyone else', async () => {
    const { org, known, outsider } = await makeWorld()
    const answer = await on('GET', `/orgs/${org.name}/members`, outsider)
    expect([answer.status, logins(answer), total(answer)]).toEqual([200, [known.name], '1'])
  })

  it('returns 401 without credentials', async () => {
    const { org, known } = await makeWorld()
    for (const path of ['', `/${known.name}`]) {
      expect((await on('GET', `/orgs/${org.name}/members${path}`)).status).toBe(401)
    }
  })

  it('returns 200 and only public members to a member with a token limited to public data', async () => {
    const { org, known, member } = await makeWorld()
    const token = await makeToken(site, member.account.id, ['public-only', 'read:organization'])
    const answer = await call(site, 'GET', `/orgs/${org.name}/members`, { as: { token } })
    expect([logins(answer), total(answer)]).toEqual([[known.name], '1'])
  })

  it('returns 200 and pages with links, and an empty list with the true total past the end', async () => {
    const { org, owner, known } = await makeWorld()
    const path = `/orgs/${org.name}/members`
    const first = await on('GET', `${path}?limit=1`, owner)
    expect([logins(first), total(first)]).toEqual([[known.name], '3'])
    expect(first.headers.get('link')).toBe(
      `<${site.url}/api/v1${path}?limit=1&page=2>; rel="next",<${site.url}/api/v1${path}?limit=1&page=3>; rel="last"`,
    )
    const past = await on('GET', `${path}?limit=1&page=9`, owner)
    expect([past.body, total(past)]).toEqual([[], '3'])
  })

  it('returns 200 and shows members as GET /users/{username} does', async () => {
    const { org, known, outsider } = await makeWorld()
    const [shown] = (await on('GET', `/orgs/${org.name}/members`, outsider)).body
    expect(shown).toEqual((await on('GET', `/users/${known.name}`, outsider)).body)
  })
})

describe('GET /orgs/{org}/members/{username}', () => {
  it('returns 204 for any member, or 404, to members and site administrators', async () => {
    const { org, owner, member, known, outsider, root } = await makeWorld()
    for (const as of [owner, member, root]) {
      for (const { name } of [owner, member, known]) {
        const answer = await on('GET', `/orgs/${org.name}/members/${name.toUpperCase()}`, as)
        expect([answer.status, answer.text]).toEqual([204, ''])
      }
      expect((await on('GET', `/orgs/${org.name}/members/${outsider.name}`, as)).status).toBe(404)
    }
  })

  it('returns 204 only for public members to everyone else, and the same 404 for all other names', async () => {
    const { org, member, known, outsider } = await makeWorld()
    expect((await on('GET', `/orgs/${org.name}/members/${known.name}`, outsider)).status).toBe(204)
    for (const name of [member.name, outsider.name, 'nobody-here', org.name]) {
      const answer = await on('GET', `/orgs/${org.name}/members/${name}`, outsider)
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    }
  })
})

describe('DELETE /orgs/{org}/members/{username}', () => {
  it('returns 204 to an owner, removes the member from all teams, and records an event', async () => {
    const { org, owner, member } = await makeWorld()
    const team = await makeTeam(site.db, org.id)
    await addToTeam(site.db, team, member.account.id)
    const answer = await on('DELETE', `/orgs/${org.name}/members/${member.name}`, owner)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await on('GET', `/orgs/${org.name}/members/${member.name}`, owner)).status).toBe(404)
    const left = await site.db
      .selectFrom('team_members')
      .select('team_id')
      .where('user_id', '=', member.account.id)
      .execute()
    expect(left).toEqual([])
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'data', 'actor_id'])
      .where('owner_id', '=', org.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      kind: 'org.member_removed',
      data: { memberId: member.account.id, member: member.name },
      actor_id: owner.account.id,
    })
  })

  it('returns 204 to members for themselves, and to site administrators for anyone', async () => {
    const { org, member, known, root } = await makeWorld()
    expect((await on('DELETE', `/orgs/${org.name}/members/${member.name}`, member)).status).toBe(204)
    expect((await on('DELETE', `/orgs/${org.name}/members/${known.name}`, root)).status).toBe(204)
    expect(total(await on('GET', `/orgs/${org.name}/members`, root))).toBe('1')
  })

  it('returns 204 without an event for a user who is not a member, and 404 for an unknown or hidden user', async () => {
    const { org, owner, outsider } = await makeWorld()
    const hidden = await makePerson(site, { visibility: 'private' })
    const path = `/orgs/${org.name}/members`
    expect((await on('DELETE', `${path}/${outsider.name}`, owner)).status).toBe(204)
    for (const name of ['nobody-here', hidden.name]) {
      expect((await on('DELETE', `${path}/${name}`, owner)).status).toBe(404)
    }
    const events = await site.db.selectFrom('events').select('id').where('owner_id', '=', org.id).execute()
    expect(events).toEqual([])
  })

  it('returns 204 for a hidden member', async () => {
    const { org, owner } = await makeWorld()
    const hidden = await makePerson(site, { visibility: 'private' })
    await addToOrg(site.db, org.id, hidden.account.id)
    expect((await on('DELETE', `/orgs/${org.name}/members/${hidden.name}`, owner)).status).toBe(204)
  })

  it('returns 403 to members for others and to outsiders for anyone, and 401 without credentials', async () => {
    const { org, member, known, outsider } = await makeWorld()
    const path = `/orgs/${org.name}/members`
    const asked: [string, Person, string][] = [
      [known.name, member, 'Must be an organization owner'],
      ['nobody-here', member, 'Must be an organization owner'],
      [known.name, outsider, 'Must be an organization member'],
      [outsider.name, outsider, 'Must be an organization member'],
    ]
    for (const [name, as, message] of asked) {
      const answer = await on('DELETE', `${path}/${name}`, as)
      expect([answer.status, answer.body.message]).toEqual([403, message])
    }
    expect((await on('DELETE', `${path}/${known.name}`)).status).toBe(401)
  })

  it('returns 404 for a private organization to outsiders', async () => {
    const { org, known, outsider } = await makeWorld({ visibility: 'private' })
    expect((await on('DELETE', `/orgs/${org.name}/members/${known.name}`, outsider)).status).toBe(404)
  })

  it('returns 422 for the last owner to anyone, and says what to do first', async () => {
    const { org, owner, root } = await makeWorld()
    for (const as of [owner, root]) {
      const answer = await on('DELETE', `/orgs/${org.name}/members/${owner.name}`, as)
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'this is the last owner of the organization; ' +
          'add someone else to its Owners team first, or delete the organization',
      ])
    }
    expect((await on('GET', `/orgs/${org.name}/members/${owner.name}`, owner)).status).toBe(204)
  })

  it('returns 204 to one of the last two owners leaving concurrently, and 422 to the other', async () => {
    for (let round = 0; round < 5; round++) {
      const { org, owner, member } = await makeWorld()
      await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, member.account.id)
      const answers = await Promise.all(
        [owner, member].map(as => on('DELETE', `/orgs/${org.name}/members/${as.name}`, as)),
      )
      expect(answers.map(answer => answer.status).sort()).toEqual([204, 422])
      expect(await ownersOf(org.id)).toBe(1)
    }
  })

  it('keeps one owner if two owners remove each other concurrently', async () => {
    const { org, owner, member } = await makeWorld()
    await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, member.account.id)
    const answers = await Promise.all([
      on('DELETE', `/orgs/${org.name}/members/${owner.name}`, member),
      on('DELETE', `/orgs/${org.name}/members/${member.name}`, owner),
    ])
    const statuses = answers.map(answer => answer.status).sort()
    expect(statuses[0]).toBe(204)
    expect([403, 422]).toContain(statuses[1])
    expect(await ownersOf(org.id)).toBe(1)
  })
})
