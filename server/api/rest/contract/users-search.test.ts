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
  it('200: the list is in an envelope, with the count in the header', async () => {
    const answer = await call(site, 'GET', '/users/search?q=ada', { as: people.root })
    expect(answer.body).toEqual({ ok: true, data: expect.any(Array) })
    expect(answer.headers.get('x-total-count')).toBe('3')
  })

  it('200: finds parts of names and full names in any case, oldest first', async () => {
    expect(await search('?q=ADA', people.root)).toEqual(['Ada', 'adamant', 'adapter'])
    expect(await search('?q=lovel', people.root)).toEqual(['Ada'])
  })

  it('200: finds letters beyond ASCII as they are written, whatever the locale of the database', async () => {
    expect(await search('?q=%C3%84%C3%96', people.root)).toEqual(['root'])
  })

  it('200: shows each viewer whom they may see', async () => {
    expect(await search('?q=ada')).toEqual(['Ada'])
    expect(await search('?q=ada', people.ada)).toEqual(['Ada', 'adamant'])
    expect(await search('?q=ada', people.hidden)).toEqual(['Ada', 'adamant', 'adapter'])
    expect(await search('?q=ada', people.root)).toEqual(['Ada', 'adamant', 'adapter'])
  })

  it('200: without a text everybody visible is listed', async () => {
    for (const query of ['', '?q=', '?q=%20']) expect(await search(query)).toEqual(['Ada', 'root'])
  })

  it('200: pages have links that keep the text', async () => {
    const answer = await call(site, 'GET', '/users/search?q=ada&limit=1', { as: people.root })
    expect(answer.body.data).toHaveLength(1)
    expect(answer.headers.get('link')).toContain(
      `<${site.url}/api/v1/users/search?limit=1&page=2&q=ada>; rel="next"`,
    )
  })

  it('200: uid narrows to one account, as long as it is visible', async () => {
    expect(await search(`?uid=${people.ada.account.id}`)).toEqual(['Ada'])
    expect(await search(`?uid=${people.hidden.account.id}`)).toEqual([])
    expect(await search('?uid=999999999')).toEqual([])
  })

  it.each(['abc', '', '-1', '0', '1.5', '1e3', '99999999999999999999', 'x&uid=1'])(
    '200: the uid %s is none, and counts as not given',
    async uid => {
      expect(await search(`?q=lovel&uid=${uid}`)).toEqual(['Ada'])
    },
  )

  it('200: a text longer than any name finds nobody', async () => {
    await makePerson(site, { name: 'endless', full_name: 'y'.repeat(101) })
    expect(await search(`?q=${'y'.repeat(100)}`)).toEqual(['endless'])
    const answer = await call(site, 'GET', `/users/search?q=${'y'.repeat(101)}`)
    expect([answer.body.data, answer.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it.each(['%25', '_', '%5C'])('200: %s is a character like any other', async text => {
    expect(await search(`?q=${text}`, people.root)).toEqual(['root'])
  })

  it.each(["'", "' or 1=1 --", '%00', '%', '%ff', '%ed%a0%80', '🦊', 'x'.repeat(5000)])(
    '200: %s finds nobody or all, and fails never',
    async text => {
      await search(`?q=${encodeURI(text)}`, people.root)
      const answer = await call(site, 'GET', `/users/search?q=${text}`)
      expect(answer.status).toBe(200)
    },
  )
})
