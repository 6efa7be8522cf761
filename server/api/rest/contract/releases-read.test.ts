import { beforeAll, describe, expect, it } from 'vitest'
import { makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { makeReleaseCast, type ReleaseCast, releaseRoles } from '@/testing/release-cast'
import { useSite } from '@/testing/site'

const site = useSite()
let owner: Person
let path: string
let repositoryId: number

beforeAll(async () => {
  owner = await makePerson(site, { full_name: 'Ada Byron' })
  const { id, name } = await makeRepository(site.db, owner.account.id)
  repositoryId = id
  path = `/repos/${owner.name}/${name}`
})

const tagsOf = ({ body }: Answer): string[] => body.map((entry: { tag_name: string }) => entry.tag_name)
const day = (date: number): Date => new Date(Date.UTC(2026, 6, date))

describe('GET /repos/{owner}/{repo}/releases/{id}', () => {
  it('returns 200 and all fields that clients expect, with URLs by repository and tag', async () => {
    const release = await makeRelease(site.db, repositoryId, {
      tag_name: 'rel/ü 1',
      title: 'First',
      body: '# Notes',
      target: 'main',
      is_prerelease: true,
      publisher_id: owner.account.id,
      created_at: day(24),
    })
    const { status, body } = await call(site, 'GET', `${path}/releases/${release.id}`)
    const html = `${site.url}${path.replace('/repos', '')}`
    const { author, ...rest } = body
    expect([status, rest]).toEqual([
      200,
      {
        id: release.id,
        tag_name: 'rel/ü 1',
        target_commitish: 'main',
        name: 'First',
        body: '# Notes',
        url: `${site.url}/api/v1${path}/releases/${release.id}`,
        html_url: `${html}/releases/tag/rel/%C3%BC%201`,
        tarball_url: `${html}/archive/rel/%C3%BC%201.tar.gz`,
        zipball_url: `${html}/archive/rel/%C3%BC%201.zip`,
        upload_url: `${site.url}/api/v1${path}/releases/${release.id}/assets`,
        draft: false,
        prerelease: true,
        created_at: '2026-07-24T00:00:00Z',
        published_at: '2026-07-24T00:00:00Z',
        assets: [],
      },
    ])
    expect(author).toMatchObject({ id: owner.account.id, login: owner.name })
    expect(author.email).toMatch(/@noreply\./)
  })

  it('returns 200 and the ghost user if the publisher’s account was deleted', async () => {
    const { id: publisher_id } = await makeUser(site.db)
    const { id } = await makeRelease(site.db, repositoryId, { publisher_id })
    await site.db.deleteFrom('users').where('id', '=', publisher_id).execute()
    const { body } = await call(site, 'GET', `${path}/releases/${id}`)
    expect(body.author).toMatchObject({ id: -1, login: 'ghost' })
  })

  it('returns 404 if the release belongs to another repository or does not exist, or if the ID is invalid', async () => {
    const elsewhere = await makeRepository(site.db, owner.account.id)
    const { id } = await makeRelease(site.db, elsewhere.id)
    for (const wrong of [id, 999_999_999, 'first', '-1']) {
      const { status, body } = await call(site, 'GET', `${path}/releases/${wrong}`, { as: owner })
      expect([status, body.message]).toEqual([404, 'not found'])
    }
  })
})

describe('GET /repos/{owner}/{repo}/releases/tags/{tag}', () => {
  it('returns 200 for the tag regardless of its case, with slashes escaped or not', async () => {
    const { id } = await makeRelease(site.db, repositoryId, { tag_name: 'Team/V1.0' })
    for (const tag of ['Team/V1.0', 'team/v1.0', 'TEAM%2FV1.0']) {
      expect((await call(site, 'GET', `${path}/releases/tags/${tag}`)).body.id).toBe(id)
    }
  })

  it('returns 404 if the tag has no release', async () => {
    expect((await call(site, 'GET', `${path}/releases/tags/none`)).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/releases', () => {
  let list: (query?: string, as?: Person) => Promise<Answer>
  beforeAll(async () => {
    const { id, name } = await makeRepository(site.db, owner.account.id)
    const add = (tag_name: string, date: number, more = {}) =>
      makeRelease(site.db, id, { tag_name, created_at: day(date), ...more })
    await add('v1', 1)
    await add('v2-rc', 3, { is_prerelease: true })
    await add('v2', 2)
    await add('v2.1', 2)
    await add('next', 4, { is_draft: true })
    await add('next-rc', 5, { is_draft: true, is_prerelease: true })
    const at = `/repos/${owner.name}/${name}/releases`
    list = (query = '', as) => call(site, 'GET', `${at}${query}`, { as })
  })

  it('returns 200 and the newest release first, then by ID, with total count and links', async () => {
    const answer = await list()
    expect([tagsOf(answer), answer.headers.get('x-total-count')]).toEqual([
      ['v2-rc', 'v2.1', 'v2', 'v1'],
      '4',
    ])
    const first = await list('?limit=3')
    expect(first.headers.get('link')).toContain('limit=3&page=2')
    expect(tagsOf(await list('?limit=3&page=2'))).toEqual(['v1'])
    const past = await list('?page=9')
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '4'])
  })

  it.each([
    ['', ['next-rc', 'next', 'v2-rc', 'v2.1', 'v2', 'v1']],
    ['?draft=true', ['next-rc', 'next']],
    ['?draft=false', ['v2-rc', 'v2.1', 'v2', 'v1']],
    ['?pre-release=true', ['next-rc', 'v2-rc']],
    ['?pre-release=1&draft=false', ['v2-rc']],
    ['?pre-release=false', ['next', 'v2.1', 'v2', 'v1']],
    ['?draft=&pre-release=', ['next-rc', 'next', 'v2-rc', 'v2.1', 'v2', 'v1']],
  ])('returns 200 and the releases filtered by “%s” to a writer', async (query, tags) => {
    const answer = await list(query, owner)
    expect([tagsOf(answer), answer.headers.get('x-total-count')]).toEqual([tags, String(tags.length)])
  })

  it('returns 200 without drafts to others, even if they request drafts', async () => {
    const answer = await list('?draft=true')
    expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  it('returns as latest the newest release that is neither a draft nor a pre-release', async () => {
    expect((await list('/latest')).body.tag_name).toBe('v2.1')
    expect((await list('/latest', owner)).body.tag_name).toBe('v2.1')
  })
})

describe('a draft release', () => {
  let cast: ReleaseCast
  let draft: number
  beforeAll(async () => {
    cast = await makeReleaseCast(site)
    draft = (await makeRelease(site.db, cast.repository.id, { tag_name: 'next', is_draft: true })).id
  })

  const statuses = (at: string) =>
    Promise.all(
      releaseRoles.map(async role => {
        const { status, body } = await call(site, 'GET', `${cast.path}${at}`, { as: cast.as[role] })
        return [role, Array.isArray(body) ? body.length : status]
      }),
    )
  const writers = ['releases writer', 'owner', 'site admin']
  const reported = (shown: number, hidden: number, to = writers) =>
    releaseRoles.map(role => [role, to.includes(role) ? shown : hidden])

  it('is visible to users with write permission for releases, and to tokens with write scope', async () => {
    expect(await statuses(`/releases/${draft}`)).toEqual(reported(200, 404))
  })

  it('is listed for the same callers', async () => {
    expect(await statuses('/releases')).toEqual(reported(1, 0))
  })

  it('is found by its tag for users with write permission for releases, regardless of token scopes', async () => {
    const all = [...writers, 'writer with a read-only token']
    expect(await statuses('/releases/tags/next')).toEqual(reported(200, 404, all))
  })

  it('is never the latest release', async () => {
    expect(await statuses('/releases/latest')).toEqual(releaseRoles.map(role => [role, 404]))
  })
})
