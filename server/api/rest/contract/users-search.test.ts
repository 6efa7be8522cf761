import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const people: Record<'ada' | 'limited' | 'hidden' | 'root', Person> = {} as never

beforeAll(async () => {
  people.ada = await makePerson(site, { name: 'Ada', full_name: 'Ada Lovelace' })
  people.limited = await makePerson(site, { name: 'adamant', visibility: 'limited' })
  people.hidden = await makePerson(site, { name: 'adapter', visibility: 'private' })
  people.root = await makePerson(site, { name: 'root', is_admin: true, full_name: '100%_pure\\ÄÖ' })
})

async function search(query: string, as?: Person): Promise<string[]> {
  const answer = await call(site, 'GET', `/users/search${query}`, { as })
  expect([answer.status, answer.body.ok]).toEqual([200, true])
  return answer.body.data.map((user: { login: string }) => user.login)
}

describe('GET /users/search', () => {
  it('returns 200 and the results in an envelope, with the count in a header', async () => {
    const answer = await call(site, 'GET', '/users/search?q=ada', { as: people.root })
    expect(answer.body).toEqual({ ok: true, data: expect.any(Array) })
    expect(answer.headers.get('x-total-count')).toBe('3')
  })

  it('returns 200 and accounts with a matching name or full name, ignoring case, oldest first', async () => {
    expect(await search('?q=ADA', people.root)).toEqual(['Ada', 'adamant', 'adapter'])
    expect(await search('?q=lovel', people.root)).toEqual(['Ada'])
  })

  it('returns 200 and matches non-ASCII letters exactly, regardless of the database’s locale', async () => {
    expect(await search('?q=%C3%84%C3%96', people.root)).toEqual(['root'])
  })

  it('returns 200 and only accounts visible to the caller', async () => {
    expect(await search('?q=ada')).toEqual(['Ada'])
    expect(await search('?q=ada', people.ada)).toEqual(['Ada', 'adamant'])
    expect(await search('?q=ada', people.hidden)).toEqual(['Ada', 'adamant', 'adapter'])
    expect(await search('?q=ada', people.root)).toEqual(['Ada', 'adamant', 'adapter'])
  })

  it('returns 200 and all visible accounts if no text is sent', async () => {
    for (const query of ['', '?q=', '?q=%20']) expect(await search(query)).toEqual(['Ada', 'root'])
  })

  it('returns 200 and page links that keep the text', async () => {
    const answer = await call(site, 'GET', '/users/search?q=ada&limit=1', { as: people.root })
    expect(answer.body.data).toHaveLength(1)
    expect(answer.headers.get('link')).toContain(
      `<${site.url}/api/v1/users/search?limit=1&page=2&q=ada>; rel="next"`,
    )
  })

  it('returns 200 and at most the account with the ID uid, if it is visible', async () => {
    expect(await search(`?uid=${people.ada.account.id}`)).toEqual(['Ada'])
    expect(await search(`?uid=${people.hidden.account.id}`)).toEqual([])
    expect(await search('?uid=999999999')).toEqual([])
  })

  it.each(['abc', '', '-1', '0', '1.5', '1e3', '99999999999999999999', 'x&uid=1'])(
    'returns 200 and ignores the invalid uid %s',
    async uid => {
      expect(await search(`?q=lovel&uid=${uid}`)).toEqual(['Ada'])
    },
  )

  it('returns 200 and no accounts for a text longer than any name', async () => {
    await makePerson(site, { name: 'endless', full_name: 'y'.repeat(101) })
    expect(await search(`?q=${'y'.repeat(100)}`)).toEqual(['endless'])
    const answer = await call(site, 'GET', `/users/search?q=${'y'.repeat(101)}`)
    expect([answer.body.data, answer.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it.each(['%25', '_', '%5C'])('returns 200 and treats %s literally', async text => {
    expect(await search(`?q=${text}`, people.root)).toEqual(['root'])
  })

  it.each(["'", "' or 1=1 --", '%00', '%', '%ff', '%ed%a0%80', '🦊', 'x'.repeat(5000)])(
    'returns 200 for the unusual text %s',
    async text => {
      await search(`?q=${encodeURI(text)}`, people.root)
      const answer = await call(site, 'GET', `/users/search?q=${text}`)
      expect(answer.status).toBe(200)
    },
  )
})
