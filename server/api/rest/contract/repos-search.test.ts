import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from '@/testing/call'
import { countQueries } from '@/testing/count-queries'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const search = (query: string, as?: CallOptions['as']): Promise<Answer> =>
  call(site, 'GET', `/repos/search?${query}`, { as })
const namesOf = (answer: Answer): string[] => answer.body.data.map((entry: { name: string }) => entry.name)
const counted = (answer: Answer) => [namesOf(answer), answer.headers.get('x-total-count')]

/** Returns a word that no repository name of other tests contains. */
const newTerm = () => randomUUID().slice(0, 8)

async function makeNamed() {
  const owner = await makePerson(site)
  const word = newTerm()
  const make = (name: string, rest = {}) =>
    makeRepository(site.db, owner.account.id, { name: `${name}-${word}`, ...rest })
  return { owner, word, make }
}

describe('GET /repos/search', () => {
  it('returns 200 and the results in an envelope, with count and links', async () => {
    const { word, make } = await makeNamed()
    for (const name of ['b', 'A', 'c']) await make(name)
    const answer = await search(`q=${word.toUpperCase()}&limit=2`)
    expect(answer.body.ok).toBe(true)
    expect(counted(answer)).toEqual([[`A-${word}`, `b-${word}`], '3'])
    expect(answer.headers.get('link')).toContain('rel="next"')
    expect(counted(await search(`q=${word}&limit=2&page=2`))).toEqual([[`c-${word}`], '3'])
    expect(counted(await search(`q=${word}&limit=2&page=9`))).toEqual([[], '3'])
  })

  it('returns 200 and only repositories visible to the caller', async () => {
    const { owner, word, make } = await makeNamed()
    const [outsider, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'limited' })
    await make('open')
    await make('secret', { is_private: true })
    await makeRepository(site.db, org.id, { name: `signed-in-${word}` })
    const names = (...parts: string[]) => parts.map(part => `${part}-${word}`)
    expect(namesOf(await search(`q=${word}`))).toEqual(names('open'))
    expect(namesOf(await search(`q=${word}`, outsider))).toEqual(names('open', 'signed-in'))
    const restricted = await makePerson(site, { is_restricted: true })
    expect(namesOf(await search(`q=${word}`, restricted))).toEqual(names('open'))
    for (const as of [owner, root]) {
      expect(namesOf(await search(`q=${word}`, as))).toEqual(names('open', 'secret', 'signed-in'))
    }
    const token = await makeToken(site, root.account.id, ['public-only', 'all'])
    expect(namesOf(await search(`q=${word}`, { token }))).toEqual(names('open'))
  })

  it('returns 200 and treats SQL wildcards literally', async () => {
    const { word, make } = await makeNamed()
    await make('a_b')
    await make('axb')
    expect(namesOf(await search(`q=a_b-${word}`))).toEqual([`a_b-${word}`])
    for (const q of ['%', '\\', "'", '%00', 'x'.repeat(500)]) {
      expect((await search(`q=${word}${encodeURIComponent(q)}`)).body.data).toEqual([])
    }
  })

  it('returns 200 and applies all filters', async () => {
    const { owner, word, make } = await makeNamed()
    await make('open')
    await make('secret', { is_private: true })
    await make('mould', { is_template: true })
    await make('old', { archived_at: new Date() })
    await make('told', { description: `about flowers` })
    const find = async (query: string) =>
      namesOf(await search(`uid=${owner.account.id}&${query}`, owner)).map(name => name.split('-')[0])
    expect(await find('')).toEqual(['mould', 'old', 'open', 'secret', 'told'])
    expect(await find('private=false')).toEqual(['mould', 'old', 'open', 'told'])
    expect(await find('is_private=true')).toEqual(['secret'])
    expect(await find('template=true')).toEqual(['mould'])
    expect(await find('archived=true')).toEqual(['old'])
    expect(await find('archived=false')).toEqual(['mould', 'open', 'secret', 'told'])
    expect(await find('q=FLOWERS')).toEqual([])
    expect(await find('q=FLOWERS&includeDesc=true')).toEqual(['told'])
    expect(await find(`q=${word}&topic=true`)).toEqual([])
    for (const mode of ['fork', 'mirror']) expect(await find(`mode=${mode}`)).toEqual([])
    for (const mode of ['source', '']) expect(await find(`mode=${mode}`)).toHaveLength(5)
    expect(await find('starredBy=1')).toEqual([])
    expect(await find('starredBy=0')).toHaveLength(5)
  })

  it('returns 200 and finds all words in any order, also in the owner’s name or as owner/name', async () => {
    const [word, other] = [newTerm(), newTerm()]
    const ada = await makePerson(site, { name: `rockets-${word}` })
    const ben = await makePerson(site, { name: `wood-${word}` })
    await makeRepository(site.db, ada.account.id, { name: `guidance-${other}` })
    await makeRepository(site.db, ada.account.id, { name: `boiler-${other}`, description: 'no guidance' })
    await makeRepository(site.db, ben.account.id, { name: `guitar-${other}` })
    const find = async (q: string, rest = '') =>
      namesOf(await search(`q=${encodeURIComponent(q)}${rest}`)).map(name => name.split('-')[0])
    expect(await find(word)).toEqual(['boiler', 'guidance', 'guitar'])
    expect(await find(`ROCKETS-${word}`)).toEqual(['boiler', 'guidance'])
    expect(await find(`rockets-${word}/gui`)).toEqual(['guidance'])
    expect(await find(`rockets-${word}/`)).toEqual(['boiler', 'guidance'])
    expect(await find(`${word.slice(4)}/guidance-${other}`)).toEqual(['guidance'])
    expect(await find(`  gui   ${word} `)).toEqual(['guidance', 'guitar'])
    expect(await find(`ui ${word}`)).toEqual(['guidance', 'guitar'])
    expect(await find(`${word} guidance rockets`, '&includeDesc=true')).toEqual(['boiler', 'guidance'])
    expect(await find(`gui ${word} nothing`)).toEqual([])
    expect(await find(`rockets-${word}/gui/x`)).toEqual([])
    // With a single owner, its name would match every repository.
    expect(await find(word, `&uid=${ada.account.id}&exclusive=true`)).toEqual([])
    expect(await find(Array.from('abcdefghijk').join(' '))).toEqual([])
  })

  it('returns 200 and a team’s repositories visible to the caller, and none without credentials', async () => {
    const { owner, word } = await makeNamed()
    const org = await makeOrg(site.db, owner.account.id)
    const team = await makeTeam(site.db, org.id)
    for (const [name, is_private] of [
      ['open', false],
      ['secret', true],
      ['other', false],
    ] as const) {
      const repository = await makeRepository(site.db, org.id, { name: `${name}-${word}`, is_private })
      if (name !== 'other') await attach(site.db, team, repository.id)
    }
    const query = `team_id=${team.id}`
    expect(namesOf(await search(query, owner))).toEqual([`open-${word}`, `secret-${word}`])
    expect(namesOf(await search(query, await makePerson(site)))).toEqual([`open-${word}`])
    expect(namesOf(await search(query))).toEqual([])
    expect(counted(await search('team_id=99999999', owner))).toEqual([[], '0'])
  })

  it('returns 200 and repositories shared with the caller for mode=collaborative, but not those shared with others', async () => {
    const { owner, make } = await makeNamed()
    const { id, name } = await make('shared', { is_private: true })
    const ada = await makePerson(site)
    await makeRepository(site.db, ada.account.id)
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: id, user_id: ada.account.id, mode: 'read' })
      .execute()
    const query = `mode=collaborative&uid=${ada.account.id}`
    expect(namesOf(await search(query, ada))).toEqual([name])
    expect(namesOf(await search(query, owner))).toEqual([])
  })

  it('returns 200 and the repositories of priority_owner_id first', async () => {
    const { owner, word, make } = await makeNamed()
    const other = await makePerson(site)
    await make('b')
    await makeRepository(site.db, other.account.id, { name: `a-${word}` })
    const first = await search(`q=${word}&priority_owner_id=${owner.account.id}`)
    expect(namesOf(first)).toEqual([`b-${word}`, `a-${word}`])
  })

  it('returns 200 and repositories owned by uid, and those shared with the caller for their own uid, unless exclusive', async () => {
    const { owner, make } = await makeNamed()
    const { id, name } = await make('shared', { is_private: true })
    const ada = await makePerson(site)
    const own = await makeRepository(site.db, ada.account.id, { name: `zz-${name}` })
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: id, user_id: ada.account.id, mode: 'read' })
      .execute()
    const query = `uid=${ada.account.id}`
    expect(namesOf(await search(query, ada))).toEqual([name, own.name])
    expect(namesOf(await search(`${query}&exclusive=true`, ada))).toEqual([own.name])
    expect(namesOf(await search(query, owner))).toEqual([own.name])
    expect(namesOf(await search('uid=999999999', ada))).toEqual([])
  })

  it('returns 200 and sorts by every mode and order', async () => {
    const { word, make } = await makeNamed()
    await make('b', { size_kib: 1, updated_at: new Date('2026-03-01') })
    await make('c', { size_kib: 3, updated_at: new Date('2026-01-01') })
    await make('a', { size_kib: 2, updated_at: new Date('2026-02-01') })
    const find = async (query: string) =>
      namesOf(await search(`q=${word}&${query}`))
        .map(name => name.split('-')[0])
        .join('')
    expect(await find('order=desc')).toBe('abc')
    expect(await find('sort=alpha&order=desc')).toBe('cba')
    expect(await find('sort=created')).toBe('bca')
    expect(await find('sort=id&order=desc')).toBe('acb')
    expect(await find('sort=updated')).toBe('cab')
    expect(await find('sort=updated&order=desc')).toBe('bac')
    expect(await find('sort=size&order=desc')).toBe('cab')
  })

  it('returns 422 for an unknown mode, sort mode, or order', async () => {
    for (const [query, message] of [
      ['sort=shoe-size', 'Invalid sort mode: use alpha, created, updated, size, or id'],
      ['sort=constructor', 'Invalid sort mode: use alpha, created, updated, size, or id'],
      ['sort=id&order=up', 'Invalid sort order: use asc or desc'],
      ['order=up', 'Invalid sort order: use asc or desc'],
      ['mode=zzz', 'Invalid search mode: use source, fork, mirror, or collaborative'],
    ]) {
      const answer = await search(String(query))
      expect([answer.status, answer.body.message]).toEqual([422, message])
    }
  })

  it('returns 200 and ignores invalid numbers and flags', async () => {
    const { word, make } = await makeNamed()
    await make('x')
    for (const query of ['uid=abc', 'uid=-1', 'page=x', 'limit=x', 'template=', 'is_private=nonsense']) {
      expect(namesOf(await search(`q=${word}&${query}`))).toEqual([`x-${word}`])
    }
  })

  it('needs at most two queries for visitors who search without words, for any page', async () => {
    const { make } = await makeNamed()
    for (const name of ['a', 'b', 'c']) await make(name)
    for (const page of [1, 2]) {
      const queries = countQueries(site)
      expect((await search(`limit=1&page=${page}`)).body.data).toHaveLength(1)
      expect(queries.all).toBeGreaterThan(0)
      expect(queries.all).toBeLessThanOrEqual(2)
    }
  })

  it('is kept for visitors until something changes, but not for callers with credentials', async () => {
    const { owner, make, word } = await makeNamed()
    const { name } = await make('tool')
    const found = async (as?: CallOptions['as']) => {
      const queries = countQueries(site)
      const names = namesOf(await search(`q=${word}`, as))
      return [names, queries.all > 0]
    }
    expect(await found()).toEqual([[name], true])
    expect(await found()).toEqual([[name], false])
    expect(await found(owner)).toEqual([[name], true])
    const path = `/repos/${owner.account.name}/${name}`
    await call(site, 'PATCH', path, { as: owner, body: { private: true } })
    expect(await found()).toEqual([[], true])
    expect(await found(owner)).toEqual([[name], true])
  })

  it('returns 403 for a token without repository scope', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['read:user'])
    expect((await search('q=x', { token })).status).toBe(403)
  })
})
