import { beforeEach, describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let repo: string
let org: string

beforeEach(async () => {
  ada = await makePerson(site)
  const { id, name } = await makeOrg(site.db, ada.account.id)
  org = `/orgs/${name}`
  repo = `/repos/${name}/${(await makeRepository(site.db, id)).name}`
})

/** What a program asks, in its order, with the status and the parts of the answer that it uses. */
type Asked = [method: string, path: string, sent: object | undefined, status: number, body?: object]

async function expectAnswers(rows: Asked[]) {
  for (const [method, path, sent, status, body] of rows) {
    const answer = await call(site, method, path, { as: ada, ...(sent && { body: sent }) })
    expect([method, path, answer.status]).toEqual([method, path, status])
    if (Array.isArray(body)) expect(answer.body, path).toHaveLength(body.length)
    if (body) expect(answer.body, path).toMatchObject(body)
  }
}

const make = async (at: string) =>
  (await call(site, 'POST', at, { as: ada, body: { name: 'seed', color: '#00aabb', description: '' } })).body
    .id

describe('tea', () => {
  it('creates, lists, changes, and deletes labels', async () => {
    const id = await make(`${repo}/labels`)
    const bug = { name: 'bug', color: '#ee0701', description: 'Broken' }
    await expectAnswers([
      ['GET', '/version', undefined, 200],
      ['GET', '/user', undefined, 200, { login: ada.name }],
      ['POST', `${repo}/labels`, bug, 201, { ...bug, color: 'ee0701' }],
      ['GET', `${repo}/labels?limit=50&page=1`, undefined, 200, [{ name: 'bug' }, { id }]],
      ['PATCH', `${repo}/labels/${id}`, { name: 'kept', color: '#ffffff' }, 200, { name: 'kept' }],
      ['DELETE', `${repo}/labels/${id}`, undefined, 204],
      ['GET', `${repo}/labels?limit=50&page=2`, undefined, 200, []],
    ])
  })

  it('reads, replaces, adds, and removes topics', async () => {
    await expectAnswers([
      ['GET', '/version', undefined, 200],
      ['GET', `${repo}/topics?limit=50&page=1`, undefined, 200, { topics: [] }],
      ['PUT', `${repo}/topics`, { topics: ['go', 'cli'] }, 204],
      ['PUT', `${repo}/topics/forge`, undefined, 204],
      ['DELETE', `${repo}/topics/go`, undefined, 204],
      ['GET', `${repo}/topics?limit=50&page=1`, undefined, 200, { topics: ['cli', 'forge'] }],
      ['GET', repo, undefined, 200, { topics: ['cli', 'forge'] }],
    ])
  })
})

describe('Terraform', () => {
  it.each(['repository', 'organization'])(
    'creates a label of the %s, reads it back, changes one field, and finds it gone after its deletion',
    async kind => {
      const at = kind === 'repository' ? `${repo}/labels` : `${org}/labels`
      const id = await make(at)
      const one = `${at}/${id}`
      const label = {
        id,
        name: 'seed',
        color: '00aabb',
        description: '',
        exclusive: false,
        is_archived: false,
      }
      await expectAnswers([
        ['GET', one, undefined, 200, label],
        ['PATCH', one, { exclusive: true }, 200, { ...label, exclusive: true }],
        ['GET', one, undefined, 200, { ...label, exclusive: true }],
        ['DELETE', one, undefined, 204],
        ['GET', one, undefined, 404],
        ['DELETE', one, undefined, 204],
      ])
    },
  )

  it('sets the topics of a repository again without a change', async () => {
    const topics = { topics: ['one', 'two'] }
    await expectAnswers([
      ['PUT', `${repo}/topics`, topics, 204],
      ['GET', repo, undefined, 200, topics],
      ['PUT', `${repo}/topics`, topics, 204],
      ['PUT', `${repo}/topics`, { topics: [] }, 204],
      ['GET', repo, undefined, 200, { topics: [] }],
    ])
  })
})

describe('Renovate', () => {
  it('lists the labels of a repository and of its organization', async () => {
    const ids = [await make(`${repo}/labels`), await make(`${org}/labels`)]
    await expectAnswers([
      ['GET', '/version', undefined, 200],
      ['GET', repo, undefined, 200, { permissions: { pull: true, push: true } }],
      ['GET', `${repo}/labels`, undefined, 200, [{ id: ids[0], name: 'seed' }]],
      ['GET', `${org}/labels`, undefined, 200, [{ id: ids[1], name: 'seed' }]],
    ])
  })

  it('finds repositories by a topic', async () => {
    const topic = `renovate-${ada.account.id}`
    await expectAnswers([
      ['PUT', `${repo}/topics/${topic}`, undefined, 204],
      ['GET', `/repos/search?q=${topic}&topic=true&archived=false`, undefined, 200, { ok: true, data: [{}] }],
    ])
  })
})
