import { beforeEach, describe, expect, it } from 'vitest'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let path: { owner: string; repo: string }

beforeEach(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'docs/a b.txt': 'a\n' })
  path = { owner: ada.name, repo: code.name }
  await call(site, 'POST', `${code.path}/branches`, { as: ada, body: { new_branch_name: 'topic/one' } })
})

const rename = async (from: string, to: string) => {
  const { status } = await call(site, 'PATCH', `${code.path}/branches/${encodeURIComponent(from)}`, {
    as: ada,
    body: { name: to },
  })
  expect(status).toBe(204)
}
const query = async (name: string, input: object) =>
  (await new Browser(site).query(name, { ...path, ...input })).data
const missing = async (at: string, kind = 'branch') =>
  (await query('code.pages.explainMissing', { kind, path: at })).renamed
const present = (branch: string) =>
  query('repos.branches.getPresentName', { branch: encodeURIComponent(branch) })
const raw = async (rest: string, at = `/${ada.name}/${code.name}/raw`) => {
  const { status, headers } = await fetch(`${site.url}${at}/${rest}`, { redirect: 'manual' })
  return [status, headers.get('location')]
}

describe('a renamed branch', () => {
  it('is found by its former name at the beginning of a path, in each kind of address', async () => {
    await rename('topic/one', 'topic/two')
    const renamed = { from: 'topic/one', to: 'topic/two', path: 'docs/a b.txt' }
    expect(await missing('topic/one/docs/a%20b.txt')).toEqual(renamed)
    expect(await missing('topic/one/docs/a%20b.txt', 'any')).toEqual(renamed)
    expect(await missing('topic/one', 'tag')).toBeNull()
    expect(await missing('topic')).toBeNull()
    const folder = `/${ada.name}/${code.name}`
    const expected = [302, `${folder}/raw/branch/topic/two/docs/a%20b.txt`]
    expect(await raw('branch/topic/one/docs/a%20b.txt')).toEqual(expected)
    expect(await raw('topic/one/docs/a%20b.txt')).toEqual(expected)
    expect(await raw('branch/topic/two/none.txt')).toEqual([404, null])
    expect(await raw('tag/topic/one/docs/a%20b.txt')).toEqual([404, null])
    expect(await query('code.pages.findRenamedComparison', { basehead: 'main..topic/one' })).toEqual({
      base: 'main',
      head: 'topic/two',
      isDirect: true,
      from: 'topic/one',
    })
    expect(await query('code.pages.findRenamedComparison', { basehead: 'none...topic/one' })).toBeNull()
  })

  it('is found by all of its former names, and not by one that a branch has again', async () => {
    await rename('main', 'trunk')
    await rename('trunk', 'stable')
    expect([await present('main'), await present('trunk')]).toEqual(['stable', 'stable'])
    await rename('stable', 'main')
    expect([await present('main'), await present('trunk'), await present('stable')]).toEqual([
      null,
      'main',
      'main',
    ])
  })

  it('is no longer found by a former name after a branch of this name was pushed, even if that was deleted', async () => {
    await rename('topic/one', 'two')
    const body = { new_branch_name: 'topic/one' }
    await call(site, 'POST', `${code.path}/branches`, { as: ada, body })
    expect(await present('topic/one')).toBeNull()
    await call(site, 'DELETE', `${code.path}/branches/topic%2Fone`, { as: ada })
    expect(await present('topic/one')).toBeNull()
  })

  it('is not found after it was deleted', async () => {
    await rename('topic/one', 'two')
    await call(site, 'DELETE', `${code.path}/branches/two`, { as: ada })
    expect(await present('topic/one')).toBeNull()
    expect(await raw('branch/topic/one/docs/a%20b.txt')).toEqual([404, null])
  })

  it('is found by nobody who cannot see the repository', async () => {
    await rename('topic/one', 'two')
    await call(site, 'PATCH', code.path, { as: ada, body: { private: true } })
    expect(await raw('branch/topic/one/docs/a%20b.txt')).toEqual([404, null])
    const refused = await new Browser(site).query('repos.branches.getPresentName', {
      ...path,
      branch: 'topic%2Fone',
    })
    expect(refused.status).toBe(404)
  })
})
