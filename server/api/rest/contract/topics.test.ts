// @module-tag embedded
import { giteaApi } from 'gitea-js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let repository: { id: number; name: string }
let at: string

beforeAll(async () => {
  ada = await makePerson(site)
})
beforeEach(async () => {
  repository = await makeRepository(site.db, ada.account.id)
  at = `/repos/${ada.name}/${repository.name}`
})

type As = { token: string } | undefined
const put = (topics: unknown, as: As = ada) =>
  call(site, 'PUT', `${at}/topics`, { ...(as && { as }), body: { topics } })
const one = async (method: string, topic: string, as: As = ada) =>
  (await call(site, method, `${at}/topics/${encodeURIComponent(topic)}`, { ...(as && { as }) })).status
const topics = async () => (await call(site, 'GET', `${at}/topics`, { as: ada })).body.topics
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index + 10}`)

describe('PUT /repos/{owner}/{repo}/topics', () => {
  it('returns 204 and replaces the topics, which are trimmed, in lower case, and sorted by name', async () => {
    expect((await put(['Zeta', ' alpha ', 'alpha', '', 'a.b-c', '2d'])).status).toBe(204)
    expect(await topics()).toEqual(['2d', 'a.b-c', 'alpha', 'zeta'])
    const { body } = await call(site, 'GET', at, { as: ada })
    expect(body.topics).toEqual(['2d', 'a.b-c', 'alpha', 'zeta'])
    expect((await put(['beta'])).status).toBe(204)
    expect(await topics()).toEqual(['beta'])
  })

  it('returns 204 and removes all topics for an empty list, and for none', async () => {
    for (const body of [{}, { topics: [] }, { topics: null }]) {
      await put(['alpha'])
      expect((await call(site, 'PUT', `${at}/topics`, { as: ada, body })).status).toBe(204)
      expect(await topics()).toEqual([])
    }
  })

  it('returns 422 and the refused names for invalid ones, and changes nothing', async () => {
    await put(['alpha'])
    const refused = ['-a', '.a', 'a b', 'ä', 'a_b', 'x'.repeat(36), '<b>']
    const { status, body } = await put(['beta', ...refused])
    expect([status, body.invalidTopics]).toEqual([422, refused])
    expect(body.message).toMatch(/^Topic names are invalid/)
    for (const value of ['alpha', [1], [null], { a: 1 }, ['x'.repeat(300)]])
      expect((await put(value)).status).toBe(422)
    expect(await topics()).toEqual(['alpha'])
  })

  it('returns 422 for more than 25 topics', async () => {
    expect((await put(numbered(25))).status).toBe(204)
    expect((await put(numbered(26))).status).toBe(422)
    expect(await one('PUT', 'more')).toBe(422)
    expect(await one('PUT', 't10')).toBe(204)
    expect(await topics()).toHaveLength(25)
  })

  it('returns 403 for people who can write but not administer, 401 for visitors, and 403 for tokens that can only read', async () => {
    const writer = await makePerson(site)
    await call(site, 'PUT', `${at}/collaborators/${writer.name}`, { as: ada, body: { permission: 'write' } })
    const token = await makeToken(site, ada.account.id, ['read:repository', 'write:issue'])
    for (const as of [writer, { token }]) expect((await put(['x'], as)).status).toBe(403)
    for (const method of ['PUT', 'DELETE']) expect(await one(method, 'x', writer)).toBe(403)
    const anonymous = await call(site, 'PUT', `${at}/topics`, { body: { topics: [] } })
    expect(anonymous.status).toBe(401)
  })

  it('records an event, but none if nothing changes, and works in an archived repository', async () => {
    await call(site, 'PATCH', at, { as: ada, body: { archived: true } })
    for (const _ of [1, 2]) expect((await put(['alpha', 'beta'])).status).toBe(204)
    const rows = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('repository_id', '=', repository.id)
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(rows.map(({ data }) => data)).toMatchObject([{ changed: 'topics' }, { changed: 'archived_at' }])
  })
})

describe('PUT and DELETE /repos/{owner}/{repo}/topics/{topic}', () => {
  it('return 204 and add or remove one topic; removing returns 404 if it is not there', async () => {
    for (const topic of ['Beta', 'alpha', 'alpha']) expect(await one('PUT', topic)).toBe(204)
    expect(await topics()).toEqual(['alpha', 'beta'])
    expect(await one('DELETE', 'ALPHA')).toBe(204)
    expect(await one('DELETE', 'alpha')).toBe(404)
    expect(await topics()).toEqual(['beta'])
    for (const method of ['PUT', 'DELETE']) expect(await one(method, 'a b')).toBe(422)
  })

  it('keep all topics that are added at the same time', async () => {
    const names = numbered(8)
    const answers = await Promise.all(names.map(name => one('PUT', name)))
    expect(new Set(answers)).toEqual(new Set([204]))
    expect(await topics()).toEqual(names)
  })
})

describe('GET /repos/{owner}/{repo}/topics', () => {
  it('returns a page with X-Total-Count and without Link, also to visitors', async () => {
    await put(['a', 'b', 'c'])
    const { status, body, headers } = await call(site, 'GET', `${at}/topics?limit=2&page=2`)
    expect([status, body, headers.get('x-total-count'), headers.get('link')]).toEqual([
      200,
      { topics: ['c'] },
      '3',
      null,
    ])
  })
})

describe('GET /topics/search', () => {
  const search = async (q: string, as: As = undefined) =>
    (await call(site, 'GET', `/topics/search?q=${q}`, as && { as })).body.topics
  const named = async (q: string, as?: As) =>
    (await search(q, as)).map((topic: { topic_name: string }) => topic.topic_name)

  it('returns topics that contain the text, those that begin with it first, with the number of visible repositories', async () => {
    await put(['xq-http', 'http-xq', 'other'])
    const hidden = await makeRepository(site.db, ada.account.id, { is_private: true })
    const private_ = `/repos/${ada.name}/${hidden.name}/topics`
    await call(site, 'PUT', private_, { as: ada, body: { topics: ['xq-http', 'xq-secret'] } })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const topic = {
      id: expect.any(Number),
      topic_name: 'xq-http',
      repo_count: 1,
      created: time,
      updated: time,
    }
    expect((await search('XQ'))[0]).toEqual(topic)
    expect(await named('xq')).toEqual(['xq-http', 'http-xq'])
    expect(await named('xq', ada)).toEqual(['xq-http', 'xq-secret', 'http-xq'])
    expect((await search('xq-http', ada))[0].repo_count).toBe(2)
    expect(await named('%25')).toEqual([])
  })

  it('does not return topics that no repository has any more', async () => {
    await put(['gone-one', 'gone-two'])
    await put(['gone-two'])
    expect(await named('gone')).toEqual(['gone-two'])
    await call(site, 'DELETE', at, { as: ada })
    expect(await named('gone')).toEqual([])
  })
})

describe('GET /repos/search with topic=true', () => {
  it('returns repositories with one of the topics, and no others', async () => {
    await put(['find-me'])
    const other = await makeRepository(site.db, ada.account.id, { name: 'find-me' })
    await call(site, 'PUT', `/repos/${ada.name}/${other.name}/topics/find-me-not`, { as: ada })
    const find = async (q: string) =>
      (await call(site, 'GET', `/repos/search?topic=true&q=${q}`)).body.data.map(
        ({ id }: { id: number }) => id,
      )
    expect(await find('Find-Me')).toEqual([repository.id])
    expect(new Set(await find('find-me,find-me-not'))).toEqual(new Set([repository.id, other.id]))
    expect(await find('find')).toEqual([])
    await put([])
    expect(await find('find-me')).toEqual([])
  })
})

describe('unmodified gitea-js', () => {
  it('adds, removes, replaces, lists, and searches topics', async () => {
    const { repos, topics: all } = giteaApi(site.url, { token: ada.token })
    const [owner, name] = [ada.name, repository.name]
    await repos.repoAddTopic(owner, name, 'js-one')
    await repos.repoAddTopic(owner, name, 'js-two')
    await repos.repoDeleteTopic(owner, name, 'js-one')
    expect((await repos.repoListTopics(owner, name)).data).toEqual({ topics: ['js-two'] })
    await repos.repoUpdateTopics(owner, name, { topics: ['js-b', 'js-a'] })
    expect((await repos.repoListTopics(owner, name)).data.topics).toEqual(['js-a', 'js-b'])
    const { data } = await all.topicSearch({ q: 'js-a' })
    expect(JSON.stringify(data)).toContain('"topic_name":"js-a"')
    await expect(repos.repoUpdateTopics(owner, name, { topics: ['a b'] })).rejects.toMatchObject({
      status: 422,
    })
  })
})

describe('the calls of the Go SDK', () => {
  it('add, remove, and replace topics, and list them by name', async () => {
    const list = async () =>
      (await call(site, 'GET', `${at}/topics?limit=50&page=1`, { as: ada })).body.topics
    await put(['tag1', 'tag2'])
    expect(await list()).toEqual(['tag1', 'tag2'])
    expect(await one('PUT', 'tag3')).toBe(204)
    expect(await list()).toEqual(['tag1', 'tag2', 'tag3'])
    expect(await one('DELETE', 'tag1')).toBe(204)
    expect(await list()).toEqual(['tag2', 'tag3'])
    await put(['newtag', 'another'])
    expect(await list()).toEqual(['another', 'newtag'])
  })
})
