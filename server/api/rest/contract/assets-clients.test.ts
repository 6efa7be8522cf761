import { createHash, randomBytes } from 'node:crypto'
import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { makeAssetTarget, waysToUpload } from '@/testing/releases'
import { mount, useSite } from '@/testing/site'

const site = useSite()

async function makeRepo(): Promise<{ ada: Person; path: string }> {
  const ada = await makePerson(site)
  await call(site, 'POST', '/user/repos', { as: ada, body: { name: 'engine', auto_init: true } })
  return { ada, path: `/repos/${ada.name}/engine/releases` }
}

it('unmodified gitea-js creates a release, then adds, lists, gets, renames, and deletes a file, and deletes the release', async () => {
  const { ada } = await makeRepo()
  const { repos } = giteaApi(site.url, { token: ada.token })
  const { data: release } = await repos.repoCreateRelease(ada.name, 'engine', {
    tag_name: 'v1.0',
    name: 'First',
    body: 'Notes',
  })
  const id = release.id as number
  const file = new File(['hello'], 'notes ü.txt')
  const made = await repos.repoCreateReleaseAttachment(ada.name, 'engine', id, { attachment: file })
  expect([made.status, made.data.name, made.data.size]).toEqual([201, 'notes ü.txt', 5])
  const named = await repos.repoCreateReleaseAttachment(
    ada.name,
    'engine',
    id,
    { attachment: file },
    { name: 'other.txt' },
  )
  expect(named.data.name).toBe('other.txt')
  const { data: list } = await repos.repoListReleaseAttachments(ada.name, 'engine', id)
  expect(list.map(each => each.name)).toEqual(['notes ü.txt', 'other.txt'])
  const attachment = made.data.id as number
  expect((await repos.repoGetReleaseAttachment(ada.name, 'engine', id, attachment)).data).toEqual(made.data)
  const edited = await repos.repoEditReleaseAttachment(ada.name, 'engine', id, attachment, { name: 'b.txt' })
  expect([edited.status, edited.data.name]).toEqual([201, 'b.txt'])
  expect((await repos.repoDeleteReleaseAttachment(ada.name, 'engine', id, attachment)).status).toBe(204)
  expect((await repos.repoGetRelease(ada.name, 'engine', id)).data.assets).toHaveLength(1)
  const text = await fetch(named.data.browser_download_url as string).then(answer => answer.text())
  expect(text).toBe('hello')
  expect((await repos.repoDeleteRelease(ada.name, 'engine', id)).status).toBe(204)
})

describe('the requests of a popular release action', () => {
  it.each(['create a release with files', 'replace the files when run again'])('%s', async run => {
    const { ada, path } = await makeRepo()
    const act = async (files: Record<string, string>) => {
      const found = await call(site, 'GET', `${path}/tags/v1.0`, { as: ada })
      const body = {
        tag_name: 'v1.0',
        name: 'v1.0',
        body: 'Notes',
        draft: false,
        prerelease: false,
        target_commitish: '',
      }
      const release = await (found.status === 404
        ? call(site, 'POST', path, { as: ada, body })
        : call(site, 'PATCH', `${path}/${found.body.id}`, { as: ada, body }))
      const assets = `${path}/${release.body.id}/assets`
      const statuses = [found.status, release.status]
      const { body: there } = await call(site, 'GET', assets, { as: ada })
      for (const [name, text] of Object.entries(files)) {
        for (const old of there.filter((each: { name: string }) => each.name === name)) {
          statuses.push((await call(site, 'DELETE', `${assets}/${old.id}`, { as: ada })).status)
        }
        const raw = new FormData()
        raw.append('attachment', new Blob([text]), name)
        const made = await call(site, 'POST', `${assets}?name=${encodeURIComponent(name)}`, {
          as: ada,
          raw,
        })
        expect(made.headers.get('content-type')).toMatch(/^application\/json/)
        statuses.push(made.status)
      }
      return statuses
    }
    expect(await act({ 'a.txt': 'one', 'b.txt': 'two' })).toEqual([404, 201, 201, 201])
    if (run.startsWith('replace'))
      expect(await act({ 'a.txt': 'new', 'c.txt': 'three' })).toEqual([200, 200, 204, 201, 201])
    const { body } = await call(site, 'GET', `${path}/latest`)
    const texts = await Promise.all(
      body.assets.map(async (file: { name: string; browser_download_url: string }) => [
        file.name,
        await fetch(file.browser_download_url).then(answer => answer.text()),
      ]),
    )
    expect(Object.fromEntries(texts)).toEqual(
      run.startsWith('replace')
        ? { 'a.txt': 'new', 'b.txt': 'two', 'c.txt': 'three' }
        : { 'a.txt': 'one', 'b.txt': 'two' },
    )
  })
})

// Plain Next buffers request bodies.
it.skipIf(mount === 'next')(
  '50 concurrent uploads, half of them forms, are all stored intact',
  async () => {
    const target = await makeAssetTarget(site)
    const mebibytes = Number(process.env.GUILDHALL_TEST_UPLOAD_MIB ?? 1)
    const parts = Array.from({ length: 4 }, () => randomBytes(1024 * 1024))
    const started = performance.now()
    const all = Array.from({ length: 50 }, async (_, index) => {
      const blocks = Array.from(
        { length: mebibytes },
        (_, block) => parts[(index + block) % 4] as Buffer<ArrayBuffer>,
      )
      const bytes = Buffer.concat([...blocks, Buffer.from(`file ${index}`)])
      const [, send] = waysToUpload[index % 2] as (typeof waysToUpload)[number]
      const answer = await send(site, target.path, target.ada, { bytes, name: `file ${index}` })
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      return [answer.status, answer.body.digest === digest]
    })
    expect(await Promise.all(all)).toEqual(Array(50).fill([201, true]))
    if (mebibytes > 1) console.info(`${50 * mebibytes} MiB in ${Math.round(performance.now() - started)} ms`)
  },
  300_000,
)
