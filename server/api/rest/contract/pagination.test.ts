import { beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const total = 53
let ada: Person
let ids: number[]

beforeAll(async () => {
  ada = await makePerson(site)
  ids = []
  for (let count = 0; count < total; count++) ids.push((await makeKey(site.db, ada.account.id)).id)
})

async function list(query: string): Promise<{ ids: number[]; count: string | null; status: number }> {
  const answer = await call(site, 'GET', `/user/keys${query}`, { as: ada })
  const keys: { id: number }[] = answer.body
  return { ids: keys.map(key => key.id), count: answer.headers.get('x-total-count'), status: answer.status }
}

describe('the limit parameter', () => {
  it.each(['', '?limit=', '?limit=0', '?limit=-1', '?limit=abc', '?limit=1.5', '?limit=1e999', '?limit=%00'])(
    'is 30 by default and for "%s"',
    async query => {
      expect(await list(query)).toEqual({ ids: ids.slice(0, 30), count: String(total), status: 200 })
    },
  )

  it.each([51, 100, 999_999_999_999, 2 ** 64])('is clamped to 50 if it is %d', async limit => {
    expect(await list(`?limit=${limit}`)).toEqual({
      ids: ids.slice(0, 50),
      count: String(total),
      status: 200,
    })
  })

  it.each([1, 7, 50])('of %d returns that many entries', async limit => {
    expect((await list(`?limit=${limit}`)).ids).toEqual(ids.slice(0, limit))
  })

  it('is taken from its first occurrence', async () => {
    expect((await list('?limit=2&limit=5')).ids).toHaveLength(2)
  })
})

describe('the page parameter', () => {
  it.each(['', '&page=', '&page=0', '&page=-1', '&page=abc', '&page=1.5'])(
    'means the first page for "%s"',
    async query => {
      expect((await list(`?limit=10${query}`)).ids).toEqual(ids.slice(0, 10))
    },
  )

  it('and limit of 0, which some clients send to mean "all", return the first 30 entries', async () => {
    expect((await list('?page=0&limit=0')).ids).toEqual(ids.slice(0, 30))
  })

  it('covers every entry exactly once, in order, across all pages', async () => {
    const pages = await Promise.all([1, 2, 3].map(page => list(`?limit=20&page=${page}`)))
    expect(pages.flatMap(page => page.ids)).toEqual(ids)
  })

  it.each([4, 1000, 999_999_999_999, 2 ** 64])(
    'of %d, past the end, returns an empty list with the true total',
    async page => {
      expect(await list(`?limit=20&page=${page}`)).toEqual({ ids: [], count: String(total), status: 200 })
    },
  )
})

it('an empty list has no entries, no Link header, and a total of 0', async () => {
  const bob = await makePerson(site)
  for (const query of ['', '?page=3']) {
    const answer = await call(site, 'GET', `/user/keys${query}`, { as: bob })
    expect([answer.body, answer.headers.get('x-total-count')]).toEqual([[], '0'])
    expect(answer.headers.get('link')).toBeNull()
  }
})
