import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite({ maxRepositories: 3 })
const makeAdmin = () => makePerson(site, { is_admin: true })

const edit = (as: Person, { name }: Person, body: object) =>
  call(site, 'PATCH', `/admin/users/${name}`, { as, body })

const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.message]

describe('an account with allow_create_organization', () => {
  let count = 0
  const create = (as: Person, path = '/orgs') =>
    call(site, 'POST', path, { as, body: { username: `limits-${count++}` } })

  it('set to false gets 403 for creating an organization, but an administrator can create one for it', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    expect((await edit(root, bob, { allow_create_organization: false })).status).toBe(200)
    expect(outcome(await create(bob))).toEqual([403, 'not allowed to create org'])
    expect((await create(root, `/admin/users/${bob.name}/orgs`)).status).toBe(201)
  })

  it('set to true again can create organizations, and edits without the field keep its value', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    await edit(root, bob, { allow_create_organization: false })
    await edit(root, bob, { full_name: 'Bob', allow_create_organization: null })
    expect((await create(bob)).status).toBe(403)
    await edit(root, bob, { allow_create_organization: true })
    expect((await create(bob)).status).toBe(201)
  })

  it('set to false can still create organizations if it is an administrator', async () => {
    const [root, other] = [await makeAdmin(), await makeAdmin()]
    await edit(root, other, { allow_create_organization: false })
    expect((await create(other)).status).toBe(201)
  })
})

it.each([{ allow_create_organization: false }, { max_repo_creation: 5 }])(
  'an account that got %j is the most recently updated',
  async change => {
    const [root, bob, later] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const order = async () => {
      const path = '/admin/users?sort=updated&order=asc&limit=50'
      const { body } = await call(site, 'GET', path, { as: root })
      const names = body.map(({ login }: { login: string }) => login)
      return names.filter((name: string) => [bob.name, later.name].includes(name))
    }
    await edit(root, later, { full_name: 'Later' })
    expect(await order()).toEqual([bob.name, later.name])
    expect((await edit(root, bob, change)).status).toBe(200)
    expect(await order()).toEqual([later.name, bob.name])
  },
)

describe('an account with max_repo_creation', () => {
  let count = 0
  const create = (as: Person, path = '/user/repos') =>
    call(site, 'POST', path, { as, body: { name: `repo-${count++}` } })
  const refusal = (most: number) => [403, `user has reached maximum limit of repositories [limit: ${most}]`]

  it('owns at most that many repositories, regardless of the site’s limit, and -1 means the site’s limit', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    await edit(root, bob, { max_repo_creation: 1 })
    expect((await create(bob)).status).toBe(201)
    expect(outcome(await create(bob))).toEqual(refusal(1))
    await edit(root, bob, { max_repo_creation: 4 })
    for (let owned = 1; owned < 4; owned++) expect((await create(bob)).status).toBe(201)
    expect(outcome(await create(bob))).toEqual(refusal(4))
    await edit(root, bob, { max_repo_creation: -1 })
    expect(outcome(await create(bob))).toEqual(refusal(3))
    expect((await create(root, `/admin/users/${bob.name}/repos`)).status).toBe(201)
  })

  it('set to 0 cannot create repositories, but keeps its existing ones', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    await create(bob)
    await edit(root, bob, { max_repo_creation: 0 })
    await edit(root, bob, { full_name: 'Bob' })
    expect(outcome(await create(bob))).toEqual(refusal(0))
    expect((await call(site, 'GET', '/user/repos', { as: bob })).body).toHaveLength(1)
  })

  it.each([-2, 1.5, '3', 1_000_001, true])(
    'returns 422 for %j and changes nothing',
    async max_repo_creation => {
      const [root, bob] = [await makeAdmin(), await makePerson(site)]
      const answer = await edit(root, bob, { full_name: 'Bob', max_repo_creation })
      expect([answer.status, answer.body.message]).toEqual([
        422,
        expect.stringMatching(/max_?repo_?creation/i),
      ])
      expect((await call(site, 'GET', `/users/${bob.name}`)).body.full_name).toBe('')
    },
  )
})
