import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRelease, makeRepository } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let owner: Person
let browser: Browser
let stranger: Browser
beforeAll(async () => {
  owner = await makePerson(site)
  browser = await signIn(site, owner)
  stranger = await signIn(site, await makePerson(site))
})

async function makeReleases() {
  const repository = await makeRepository(site.db, owner.account.id)
  const make = (tag_name: string, values: Parameters<typeof makeRelease>[2] = {}) =>
    makeRelease(site.db, repository.id, { tag_name, ...values })
  const day = (date: number) => new Date(Date.UTC(2026, 6, date))
  const first = await make('v1', { created_at: day(1), title: 'The first', publisher_id: owner.account.id })
  await make('v2-rc1', { created_at: day(2), is_prerelease: true })
  await make('v2_x%', { created_at: day(3), body: '# Notes\n\n<script>x</script>' })
  await make('draft/3', { created_at: day(1), is_draft: true })
  return { path: { owner: owner.name, repo: repository.name }, first, repository }
}

function makeAsset(release: { id: number; repository_id: number }, name: string, deleted = false) {
  return site.db
    .insertInto('attachments')
    .values({
      uuid: randomUUID(),
      release_id: release.id,
      repository_id: release.repository_id,
      uploader_id: owner.account.id,
      name,
      size: 3,
      sha256: Buffer.alloc(32, 1),
      content_type: 'text/plain',
      storage_key: randomUUID(),
      deleted_at: deleted ? new Date() : null,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
}

describe('releases.manage.browse', () => {
  it('returns drafts first, then the newest releases, and marks the latest', async () => {
    const { path } = await makeReleases()
    const { items, total, counts, may_write } = (await browser.query('releases.manage.browse', path)).data
    expect(items.map(({ tag_name }: { tag_name: string }) => tag_name)).toEqual([
      'draft/3',
      'v2_x%',
      'v2-rc1',
      'v1',
    ])
    expect(items.map(({ is_latest }: { is_latest: boolean }) => is_latest)).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect({ total, counts, may_write }).toEqual({
      total: 4,
      counts: { stable: 2, prerelease: 1, draft: 1 },
      may_write: true,
    })
    expect(items[1].body_html).toBe('<h3>Notes</h3>\n')
    expect([items[3].title, items[2].title]).toEqual(['The first', 'v2-rc1'])
  })

  it('truncates long notes, which releases.manage.show returns completely', async () => {
    const { path, repository } = await makeReleases()
    await makeRelease(site.db, repository.id, { tag_name: 'v4', body: '- news\n'.repeat(50) })
    const { items } = (await browser.query('releases.manage.browse', { ...path, q: 'v4' })).data
    expect(items[0].body_is_cut).toBe(true)
    expect(items[0].body_html.match(/news/g)).toHaveLength(16)
    const { release } = (await browser.query('releases.manage.show', { ...path, tag: 'v4' })).data
    expect(release.body_is_cut).toBe(false)
    expect(release.body_html.match(/news/g)).toHaveLength(50)
  })

  it('does not return drafts to readers', async () => {
    const { path } = await makeReleases()
    const seen = await stranger.query('releases.manage.browse', path)
    expect(seen.data).toMatchObject({ total: 3, counts: { draft: 0 }, may_write: false })
    const drafts = await stranger.query('releases.manage.browse', { ...path, kind: 'draft' })
    expect(drafts.data.items).toEqual([])
    expect((await stranger.query('releases.manage.show', { ...path, tag: 'draft/3' })).status).toBe(404)
  })

  it('finds releases by text and kind, treating special characters literally', async () => {
    const { path } = await makeReleases()
    const found = async (input: object) => {
      const { data } = await browser.query('releases.manage.browse', { ...path, ...input })
      return data.items.map(({ tag_name }: { tag_name: string }) => tag_name)
    }
    expect(await found({ q: '_X%' })).toEqual(['v2_x%'])
    expect(await found({ q: 'FIRST' })).toEqual(['v1'])
    expect(await found({ kind: 'prerelease' })).toEqual(['v2-rc1'])
    expect(await found({ kind: 'stable', limit: 1, page: 2 })).toEqual(['v1'])
  })

  it('returns the first 50 files of each release with the total, and releases.manage.show returns all', async () => {
    const { path, first } = await makeReleases()
    const names = Array.from({ length: 52 }, (_, number) => `file-${String(number).padStart(2, '0')}`)
    for (const name of names) await makeAsset(first, name)
    const { items } = (await stranger.query('releases.manage.browse', path)).data
    const [listed] = items.filter(({ tag_name }: { tag_name: string }) => tag_name === 'v1')
    const { release } = (await stranger.query('releases.manage.show', { ...path, tag: 'v1' })).data
    const namesOf = ({ assets }: { assets: { name: string }[] }) => assets.map(({ name }) => name)
    expect([namesOf(listed), listed.asset_count]).toEqual([names.slice(0, 50), 52])
    expect([namesOf(release), release.asset_count]).toEqual([names, 52])
    expect(items.filter(({ asset_count }: { asset_count: number }) => asset_count === 0)).toHaveLength(2)
  })
})

describe('releases.manage.show', () => {
  it('returns files sorted by name, with the URL by name for the newest of each name', async () => {
    const { path, first } = await makeReleases()
    await makeAsset(first, 'b c.zip')
    const older = await makeAsset(first, 'a.zip')
    await makeAsset(first, 'gone.zip', true)
    const urls = async (): Promise<string[]> => {
      const { data } = await stranger.query('releases.manage.show', { ...path, tag: 'V1' })
      return data.release.assets.map(({ download_url }: { download_url: string }) => download_url)
    }
    const directory = `/${path.owner}/${path.repo}/releases/download/v1`
    expect(await urls()).toEqual([`${directory}/a.zip`, `${directory}/b%20c.zip`])
    await makeAsset(first, 'a.zip')
    expect(await urls()).toEqual([
      `/attachments/${older.uuid}`,
      `${directory}/a.zip`,
      `${directory}/b%20c.zip`,
    ])
    const { data } = await stranger.query('releases.manage.show', { ...path, tag: 'v1' })
    const named = data.release.assets.map(({ name, has_name }: { name: string; has_name: boolean }) => [
      name,
      has_name,
    ])
    expect(named).toEqual([
      ['a.zip', false],
      ['a.zip', true],
      ['b c.zip', true],
    ])
  })
})

describe('release notes', () => {
  it('have highlighted code on the page and in the preview', async () => {
    const { path, repository } = await makeReleases()
    const text = '```go\n// <x>\n```'
    await makeRelease(site.db, repository.id, { tag_name: 'v4', body: text })
    const html = '<pre tabindex="0"><code><pl-c>// &lt;x&gt;</pl-c>\n</code></pre>\n'
    const shown = await browser.query('releases.manage.show', { ...path, tag: 'v4' })
    expect(shown.data.release).toMatchObject({ body_html: html })
    expect((await browser.query('releases.manage.preview', { ...path, text })).data).toEqual({ html })
  })
})

describe('releases.manage.preview', () => {
  it('formats text for users with write permission only', async () => {
    const { path } = await makeReleases()
    const input = { ...path, text: '*x*<script>1</script>' }
    expect((await browser.query('releases.manage.preview', input)).data).toEqual({
      html: '<p><em>x</em></p>\n',
    })
    expect((await stranger.query('releases.manage.preview', input)).status).toBe(403)
  })
})
