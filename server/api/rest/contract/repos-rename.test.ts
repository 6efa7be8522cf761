import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const rename = (as: Person, owner: string, from: string, to: string): Promise<Answer> =>
  call(site, 'PATCH', `/repos/${owner}/${from}`, { as, body: { name: to } })

let count = 0
const newName = () => `renamed-${++count}`

async function makeOwned(is_private = false) {
  const owner = await makePerson(site)
  const repository = await makeRepository(site.db, owner.account.id, { is_private })
  return { owner, repository, old: repository.name }
}

describe('a renamed repository', () => {
  it('redirects its former name permanently with 301, keeping the rest of the path and the query', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    const answer = await rename(owner, owner.name, old, to)
    expect([answer.status, answer.body.name, answer.body.full_name]).toEqual([200, to, `${owner.name}/${to}`])
    const paths = {
      [`/repos/${owner.name}/${old}`]: `/repos/${owner.name}/${to}`,
      [`/repos/${owner.name.toUpperCase()}/${old.toUpperCase()}`]: `/repos/${owner.name.toUpperCase()}/${to}`,
      [`/repos/${owner.name}/${old}/branches?page=2&limit=5`]: `/repos/${owner.name}/${to}/branches?page=2&limit=5`,
      [`/repos/${owner.name}/${old}/branches/a%2Fb`]: `/repos/${owner.name}/${to}/branches/a%2Fb`,
    }
    for (const [from, target] of Object.entries(paths)) {
      const moved = await call(site, 'GET', from)
      expect([moved.status, moved.headers.get('location')]).toEqual([301, `/api/v1${target}`])
    }
  })

  it('redirects requests that change data with 308, so that clients keep the method', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    await rename(owner, owner.name, old, to)
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['PUT', `/collaborators/${owner.name}`],
    ]) {
      const moved = await call(site, String(method), `/repos/${owner.name}/${old}${path}`, {
        as: owner,
        body: {},
      })
      expect([moved.status, moved.headers.get('location')]).toEqual([
        308,
        `/api/v1/repos/${owner.name}/${to}${path}`,
      ])
    }
  })

  it('redirects each of its former names directly to the current one', async () => {
    const { owner, old } = await makeOwned()
    const names = [old, newName(), newName(), newName()]
    for (let index = 1; index < names.length; index++) {
      await rename(owner, owner.name, String(names[index - 1]), String(names[index]))
    }
    for (const name of names.slice(0, -1)) {
      const moved = await call(site, 'GET', `/repos/${owner.name}/${name}`)
      expect(moved.headers.get('location')).toBe(`/api/v1/repos/${owner.name}/${names.at(-1)}`)
    }
  })

  it('is reached by its former name below its owner’s former name in two redirects, 307 and 301', async () => {
    const { owner, old } = await makeOwned()
    const [to, formerOwner] = [newName(), `former-${owner.name}`]
    await rename(owner, owner.name, old, to)
    await site.db
      .insertInto('account_redirects')
      .values({ name: formerOwner, account_id: owner.account.id })
      .execute()
    const first = await call(site, 'GET', `/repos/${formerOwner}/${old}`)
    expect([first.status, first.headers.get('location')]).toEqual([307, `/api/v1/repos/${owner.name}/${old}`])
    const second = await call(site, 'GET', `/repos/${owner.name}/${old}`)
    expect([second.status, second.headers.get('location')]).toEqual([
      301,
      `/api/v1/repos/${owner.name}/${to}`,
    ])
  })

  it('can get its former name back (200), which then no longer redirects', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    await rename(owner, owner.name, old, to)
    expect((await rename(owner, owner.name, to, old)).status).toBe(200)
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`)).status).toBe(200)
    expect((await call(site, 'GET', `/repos/${owner.name}/${to}`)).status).toBe(301)
  })

  it('does not reveal its new name to those who cannot see it, for whom the former name returns 404', async () => {
    const { owner, old } = await makeOwned(true)
    const outsider = await makePerson(site)
    await rename(owner, owner.name, old, newName())
    for (const as of [undefined, outsider]) {
      const answer = await call(site, 'GET', `/repos/${owner.name}/${old}`, { as })
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    }
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`, { as: owner })).status).toBe(301)
  })

  it('no longer redirects from its former names after it is deleted (404)', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    await rename(owner, owner.name, old, to)
    await call(site, 'DELETE', `/repos/${owner.name}/${to}`, { as: owner })
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`, { as: owner })).status).toBe(404)
  })

  it('does not prevent another repository from using its former name (200)', async () => {
    const { owner, old } = await makeOwned()
    const other = await makeRepository(site.db, owner.account.id)
    await rename(owner, owner.name, old, newName())
    expect((await rename(owner, owner.name, other.name, old)).status).toBe(200)
    const found = await call(site, 'GET', `/repos/${owner.name}/${old}`)
    expect([found.status, found.body.id]).toEqual([200, other.id])
  })
})

describe('renaming a repository', () => {
  it('returns 200 for a change of case only, without a redirect', async () => {
    const { owner, old } = await makeOwned()
    expect((await rename(owner, owner.name, old, old.toUpperCase())).body.name).toBe(old.toUpperCase())
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`)).status).toBe(200)
    const redirects = await site.db
      .selectFrom('repository_redirects')
      .select('name')
      .where('owner_id', '=', owner.account.id)
      .execute()
    expect(redirects).toEqual([])
  })

  it('returns 200 for an empty name and changes nothing', async () => {
    const { owner, old } = await makeOwned()
    expect((await rename(owner, owner.name, old, '')).body.name).toBe(old)
  })

  it('returns 422 for the name of another repository of the owner, ignoring case', async () => {
    const { owner, old } = await makeOwned()
    const other = await makeRepository(site.db, owner.account.id)
    const answer = await rename(owner, owner.name, old, other.name.toUpperCase())
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The repository with the same name already exists.',
    ])
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`)).status).toBe(200)
  })

  it('returns 200 to one of two concurrent requests for a name, and 422 to the other', async () => {
    const { owner, old } = await makeOwned()
    const other = await makeRepository(site.db, owner.account.id)
    const to = newName()
    const answers = await Promise.all([
      rename(owner, owner.name, old, to),
      rename(owner, owner.name, other.name, to),
    ])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
  })

  it.each([
    ['..', 'name is reserved [name: ..]'],
    ['x.git', 'name pattern is not allowed [pattern: *.git]'],
    ['a b', '[Name]: Use only letters, numbers, "-", "_", and ".".'],
  ])('returns 422 for %s', async (name, message) => {
    const { owner, old } = await makeOwned()
    const answer = await rename(owner, owner.name, old, name)
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })
})

describe('renaming the owner of a repository', () => {
  it('redirects from the organization’s former name with 307, but only for those who can see the repository', async () => {
    const [owner, outsider] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    await site.db
      .insertInto('account_redirects')
      .values({ name: `${org.name}-old`, account_id: org.id })
      .execute()
    const path = `/repos/${org.name}-old/${repository.name}`
    const moved = await call(site, 'GET', path, { as: owner })
    expect([moved.status, moved.headers.get('location')]).toEqual([
      307,
      `/api/v1/repos/${org.name}/${repository.name}`,
    ])
    expect((await call(site, 'GET', path, { as: outsider })).status).toBe(404)
  })
})
