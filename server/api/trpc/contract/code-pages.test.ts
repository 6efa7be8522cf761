import { beforeAll, describe, expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let path: { owner: string; repo: string }
const visitor = () => new Browser(site)

const mit = 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n'

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    'a.ts': 'x'.repeat(750),
    'a.css': 'x'.repeat(250),
    LICENSE: mit,
    COPYING: 'All yours.\n',
  })
  path = { owner: ada.name, repo: code.name }
})

describe('code.pages.showRoot', () => {
  it('returns the licenses with their files, and the languages once they are known', async () => {
    const languages = [
      { name: 'TypeScript', color: '#3178c6', percent: 75 },
      { name: 'CSS', color: '#663399', percent: 25 },
    ]
    const { data } = await visitor().query('code.pages.showRoot', path)
    expect(data.licenses).toEqual([
      { name: 'COPYING', license: null },
      { name: 'LICENSE', license: 'MIT' },
    ])
    expect([null, languages], 'a page does not wait for them').toContainEqual(data.languages)
    expect((await visitor().query('code.pages.showLanguages', path)).data).toEqual(languages)
    expect((await visitor().query('code.pages.showRoot', path)).data.languages).toEqual(languages)
  })
})

describe('code.pages.showCommits', () => {
  it('returns only the commits of an author, by username, shown email address, or name', async () => {
    const shy = await makePerson(site, { hide_email: true })
    const repository = await makeCode(site, ada, { 'a.txt': 'a\n' })
    const at = { owner: ada.name, repo: repository.name, kind: 'branch', path: 'main' }
    const by = async (text: string, author: string) =>
      await repository.commit({ 'a.txt': text }, { message: text, author })
    await by('ada', `Ada L. <${ada.account.email}>`)
    const { hostname } = new URL(site.services.config.baseUrl)
    await by('no-reply', `Ada L. <${ada.account.id}+${ada.name.toLowerCase()}@noreply.${hostname}>`)
    await by('shy', `Shy <${shy.account.email}>`)
    await by('eve', `Eve <x${ada.account.email}>`)
    const found = async (author: string) =>
      (await visitor().query('code.pages.showCommits', { ...at, author })).data.commits.map(
        ({ summary }: { summary: string }) => summary,
      )
    expect(await found(ada.name.toUpperCase())).toEqual(['no-reply', 'ada'])
    expect(await found(ada.account.email)).toEqual(['ada'])
    expect(await found('ada l.')).toEqual(['no-reply', 'ada'])
    expect(await found(shy.name), 'who wrote it is hidden').toEqual([])
    expect(await found(shy.account.email)).toEqual(['shy'])
    expect(await found('.*')).toEqual([])
  })
})

describe('commits_since of a release', () => {
  it('is the number of commits that the default branch has in addition, in lists only of the newest', async () => {
    const repository = await makeCode(site, ada, { 'a.txt': 'a\n' })
    const at = { owner: ada.name, repo: repository.name }
    await repository.git('tag', 'v1', 'main')
    await repository.commit({ 'a.txt': 'b\n' })
    await repository.git('tag', 'v2', 'main')
    for (const text of ['c', 'd']) await repository.commit({ 'a.txt': `${text}\n` })
    for (const [index, tag_name] of ['v1', 'v2'].entries())
      await makeRelease(site.db, repository.id, {
        tag_name,
        created_at: new Date(Date.UTC(2026, 6, 1 + index)),
      })
    const shown = async (tag: string) =>
      (await visitor().query('releases.manage.show', { ...at, tag })).data.release.commits_since
    expect([await shown('v1'), await shown('v2')]).toEqual([3, 2])
    const list = (await visitor().query('releases.manage.browse', at)).data.items
    expect(list.map(({ commits_since }: { commits_since: number | null }) => commits_since)).toEqual([
      2,
      null,
    ])
    await repository.git('tag', '-d', 'v1')
    expect(await shown('v1'), 'without its tag').toBeNull()
  })
})

describe('releases.manage.showLatest', () => {
  it('returns the newest release that is neither a draft nor a pre-release, or null', async () => {
    const repository = await makeCode(site, ada, { 'a.txt': 'a\n' })
    const latest = () =>
      visitor().query('releases.manage.showLatest', { owner: ada.name, repo: repository.name })
    expect((await latest()).data).toBeNull()
    const day = (date: number) => new Date(Date.UTC(2026, 6, date))
    const make = (tag_name: string, values: Parameters<typeof makeRelease>[2]) =>
      makeRelease(site.db, repository.id, { tag_name, ...values })
    await make('v1', { created_at: day(1) })
    await make('v2', { created_at: day(2), is_prerelease: true })
    await make('v3', { created_at: day(3), is_draft: true })
    expect((await latest()).data).toEqual({ tag_name: 'v1', title: 'v1', created_at: '2026-07-01T00:00:00Z' })
  })
})

describe('code.pages.showDivergence', () => {
  it('returns how far branches are ahead and behind, and nothing without a default branch', async () => {
    const made = await makeCode(site, ada, { 'a.txt': 'a\n' })
    await made.git('branch', 'old', 'main')
    await made.git('branch', 'topic/one', 'main')
    await made.commit({ 'b.txt': 'b\n' }, { branch: 'topic/one' })
    await made.commit({ 'c.txt': 'c\n' })
    const of = { owner: ada.name, repo: made.name }
    const branches = ['topic/one', 'main', 'none', 'old']
    const counts = [{ ahead: 1, behind: 1 }, null, null, { ahead: 0, behind: 1 }]
    const show = async (input: object) => await visitor().query('code.pages.showDivergence', input)
    expect((await show({ ...of, branches, waits: true })).data).toEqual({ counts, isFinal: true })
    expect((await show({ ...of, branches, waits: false })).data).toEqual({ counts, isFinal: true })
    await made.git('update-ref', '-d', 'refs/heads/main')
    const none = branches.map(() => null)
    expect((await show({ ...of, branches, waits: true })).data).toEqual({ counts: none, isFinal: true })
    await call(site, 'PATCH', made.path, { as: ada, body: { private: true } })
    expect((await show({ ...of, branches, waits: true })).status).toBe(404)
  })
})
