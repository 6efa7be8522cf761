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
  it('301: its old name leads to the new one, for good, with the rest of the path and the query', async () => {
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

  it('308: changes are led on too, and stay the changes they are', async () => {
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

  it('301: every name it ever had leads straight to the last', async () => {
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

  it('307 and 301: its old name below its owner’s old one leads to it in two steps', async () => {
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

  it('200: back to its first name, which leads nowhere else then', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    await rename(owner, owner.name, old, to)
    expect((await rename(owner, owner.name, to, old)).status).toBe(200)
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`)).status).toBe(200)
    expect((await call(site, 'GET', `/repos/${owner.name}/${to}`)).status).toBe(301)
  })

  it('404: nobody who may not see it learns what it is called now', async () => {
    const { owner, old } = await makeOwned(true)
    const outsider = await makePerson(site)
    await rename(owner, owner.name, old, newName())
    for (const as of [undefined, outsider]) {
      const answer = await call(site, 'GET', `/repos/${owner.name}/${old}`, { as })
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    }
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`, { as: owner })).status).toBe(301)
  })

  it('404: once it is deleted its old names lead nowhere', async () => {
    const { owner, old } = await makeOwned()
    const to = newName()
    await rename(owner, owner.name, old, to)
    await call(site, 'DELETE', `/repos/${owner.name}/${to}`, { as: owner })
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`, { as: owner })).status).toBe(404)
  })

  it('200: another one may take a name it had', async () => {
    const { owner, old } = await makeOwned()
    const other = await makeRepository(site.db, owner.account.id)
    await rename(owner, owner.name, old, newName())
    expect((await rename(owner, owner.name, other.name, old)).status).toBe(200)
    const found = await call(site, 'GET', `/repos/${owner.name}/${old}`)
    expect([found.status, found.body.id]).toEqual([200, other.id])
  })
})

describe('a new name', () => {
  it('200: the same in another case is no other name, and leads nowhere', async () => {
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

  it('200: an empty one changes nothing', async () => {
    const { owner, old } = await makeOwned()
    expect((await rename(owner, owner.name, old, '')).body.name).toBe(old)
  })

  it('422: one that another repository of the owner has, in any case', async () => {
    const { owner, old } = await makeOwned()
    const other = await makeRepository(site.db, owner.account.id)
    const answer = await rename(owner, owner.name, old, other.name.toUpperCase())
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The repository with the same name already exists.',
    ])
    expect((await call(site, 'GET', `/repos/${owner.name}/${old}`)).status).toBe(200)
  })

  it('200 and 422: two who take one name at the same time', async () => {
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
    ['a b', '[Name]: Use only letters, digits, "-", "_" and ".".'],
  ])('422: %s', async (name, message) => {
    const { owner, old } = await makeOwned()
    const answer = await rename(owner, owner.name, old, name)
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })
})

describe('a renamed owner', () => {
  it('307: the organization’s old name leads to the new one, but not for those who may not see the repository', async () => {
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
