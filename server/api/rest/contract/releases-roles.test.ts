import { beforeAll, describe, expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makeCommittedRepository } from '@/testing/git-repository'
import { makeReleaseCast, type ReleaseCast, type ReleaseRole, releaseRoles } from '@/testing/release-cast'
import { useSite } from '@/testing/site'

const site = useSite()
let open: ReleaseCast
let closed: ReleaseCast
beforeAll(async () => {
  open = await makeReleaseCast(site, org => makeCommittedRepository(site, org))
  closed = await makeReleaseCast(site, org => makeCommittedRepository(site, org, { is_private: true }))
})

let tags = 0
type Draft = { id: number; tag_name: string }

/** Returns the status that each role gets for a request about a draft created for it. */
async function answers(
  cast: ReleaseCast,
  method: string,
  at: (draft: Draft) => string,
  body?: () => object,
): Promise<Record<string, number>> {
  const answered: Record<string, number> = {}
  for (const role of releaseRoles) {
    const draft = await makeRelease(site.db, cast.repository.id, { is_draft: true })
    const { status } = await call(site, method, `${cast.path}/releases${at(draft)}`, {
      as: cast.as[role],
      body: body?.(),
    })
    answered[role] = status
  }
  return answered
}

const expected = (
  { anonymous, outsider, reader, coder, reading }: Record<string, number>,
  done: number,
): Record<ReleaseRole, number | undefined> => ({
  anonymous,
  outsider,
  'releases reader': reader,
  'code writer': coder,
  'releases writer': done,
  'writer with a read-only token': reading,
  owner: done,
  'site admin': done,
})

const byId = ({ id }: Draft) => `/${id}`
const byTag = ({ tag_name }: Draft) => `/tags/${tag_name}`

const endpoints = [
  {
    endpoint: 'POST of a new one',
    at: () => '',
    body: () => ({ tag_name: `v${++tags}`, draft: true }),
    done: 201,
    unseen: 403,
  },
  { endpoint: 'PATCH by id', at: byId, body: () => ({ name: 'X' }), done: 200, unseen: 404 },
  { endpoint: 'DELETE by id', at: byId, done: 204, unseen: 404 },
  { endpoint: 'DELETE by tag', at: byTag, done: 204, unseen: 404 },
]

describe.each(endpoints)('$endpoint of a draft', ({ endpoint, at, body, done, unseen }) => {
  const [method = ''] = endpoint.split(' ')

  it('requires permission to write releases, and a token with write scope', async () => {
    const refused = { anonymous: 401, outsider: unseen, reader: unseen, coder: unseen, reading: 403 }
    expect(await answers(open, method, at, body)).toEqual(expected(refused, done))
  })

  it('returns 404 to users who cannot see the repository', async () => {
    const refused = { anonymous: 404, outsider: 404, reader: unseen, coder: 403, reading: 403 }
    expect(await answers(closed, method, at, body)).toEqual(expected(refused, done))
  })
})

describe('the releases of a private repository', () => {
  it('are visible with permission to read releases, and return 403 to others who can see the repository', async () => {
    const { id } = await makeRelease(site.db, closed.repository.id, { tag_name: 'v1.0' })
    for (const at of ['', '/latest', `/${id}`, '/tags/v1.0']) {
      const statuses = await answers(closed, 'GET', () => at)
      const refused = { anonymous: 404, outsider: 404, reader: 200, coder: 403, reading: 200 }
      expect([at, statuses]).toEqual([at, expected(refused, 200)])
    }
  })
})
