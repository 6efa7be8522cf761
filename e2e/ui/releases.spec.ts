import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { adminEnvironment, dataDirectory, type Guildhall, start } from '../process/guildhall'
import { attach } from './attach'
import { expectAccessible } from './axe'
import { hold } from './hold'
import { isLive } from './live'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

async function makeRepository(site: string): Promise<{ owner: string; path: string }> {
  const owner = await makePerson(site, 'ada')
  await call(site, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  return { owner, path: `/${owner}/engine` }
}

const makeRelease = (site: string, { owner, path }: { owner: string; path: string }, body: object) =>
  call<{ id: number }>(site, 'POST', `/repos${path}/releases`, body, owner)

/**
 * Drops files of these sizes on the page, as if from another window. Each is filled with the first letter of
 * its name.
 */
async function drop(page: Page, files: Record<string, number>): Promise<void> {
  const transfer = await page.evaluateHandle(sizes => {
    const transfer = new DataTransfer()
    for (const [name, size] of Object.entries(sizes)) {
      transfer.items.add(new File([new Uint8Array(size).fill(name.charCodeAt(0))], name))
    }
    return transfer
  }, files)
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', kind, { dataTransfer: transfer })
  }
}

const digestOf = (name: string, size: number): string =>
  createHash('sha256')
    .update(Buffer.alloc(size, name.charCodeAt(0)))
    .digest('hex')

const files = (page: Page) => page.getByRole('list', { name: /^Files in / }).getByRole('listitem')

/** Limits the upload speed so that the test can act while a file is uploading. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

const mebibyte = 1024 * 1024

/** Text next to a file of 24 MiB that is uploading. */
const inProgress = /^[\d.]+ (?:bytes|KiB|MiB) of 24 MiB · [\d.]+ MiB\/s(?: · [^·]+ left)?$/

test('a release can be written and its files renamed and deleted, and a reader can download them', async ({
  page,
  browser,
  site: { url },
}) => {
  const { owner, path } = await makeRepository(url)
  await signIn(page, url, owner, password)

  await page.goto(`${url}${path}`)
  await page.getByRole('link', { name: 'Releases 0', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No releases yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New release' }).click()
  await page.getByLabel('Tag', { exact: true }).fill('v1.0')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Target')).toBeFocused()
  await expect(page.getByText('New tag', { exact: true })).toBeVisible()
  await page.getByLabel('Title').fill('The first one')
  await page.getByLabel('Notes (optional)').fill('## New\n\n- **Everything**\n\n<script>alert(1)</script>')
  const rendered = await hold(page, /releases\.manage\.preview/)
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(page.getByRole('tabpanel').getByText('Loading preview…', { exact: true })).toBeVisible()
  await rendered.release()
  await expect(page.getByRole('tabpanel').getByText('Everything')).toBeVisible()

  await drop(page, { 'big.bin': mebibyte, 'a.txt': 1000, 'notes.txt': 2000 })
  await expect(page).toHaveURL(`${url}${path}/releases/edit/v1.0`)
  await expect(page).toHaveTitle(/^Edit v1\.0 · /)

  await page.getByRole('button', { name: 'Rename a.txt' }).click()
  const name = page.getByLabel('New name for a.txt')
  await expect(name).toBeFocused()
  await name.fill('n'.repeat(256))
  await name.press('Enter')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('notes.txt')
  await name.press('Enter')
  await expect(page.getByText('Another file has this name.')).toBeVisible()
  await name.press('Escape')
  await expect(page.getByRole('button', { name: 'Rename a.txt' })).toBeFocused()
  await page.keyboard.press('Enter')
  await name.fill('b.txt')
  await name.press('Enter')
  await expect(page.getByRole('link', { name: 'b.txt' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename b.txt' })).toBeFocused()

  await page.getByRole('button', { name: 'Delete notes.txt' }).click()
  await expect(page.getByRole('link', { name: 'notes.txt' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'notes.txt' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete notes.txt' }).click()
  await expect(page.getByRole('link', { name: 'notes.txt' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Publish and create tag v1.0', exact: true }).click()
  await expect(page).toHaveURL(`${url}${path}/releases/tag/v1.0`)

  const reader = await browser.newPage()
  await reader.goto(`${url}${path}/releases/latest`)
  await expect(reader).toHaveURL(`${url}${path}/releases/tag/v1.0`)
  await expect(reader.getByRole('heading', { name: 'The first one' })).toBeVisible()
  await expect(reader.getByRole('listitem').filter({ hasText: 'Everything' })).toBeVisible()
  await expect(files(reader)).toHaveText([
    /^b\.txt/,
    /^big\.bin/,
    /^Source code \(zip\)/,
    /^Source code \(tar\.gz\)/,
  ])
  const href = (await reader.getByRole('link', { name: 'big.bin' }).getAttribute('href')) ?? ''
  const downloaded = await (await reader.request.get(url + href)).body()
  expect(createHash('sha256').update(downloaded).digest('hex')).toBe(digestOf('big.bin', mebibyte))
  const sums = await (await reader.request.get(`${url}${path}/releases/download/v1.0/SHA256SUMS`)).text()
  expect(sums).toContain(`${digestOf('big.bin', mebibyte)}  big.bin`)
  const source = await reader.request.get(`${url}${path}/archive/v1.0.zip`)
  expect(source.status()).toBe(200)
  await reader.close()
})

test('uploads of three files survive a pause and a restart of the server, and a reader downloads them intact', {
  tag: '@slow',
}, async ({ page, browser }) => {
  test.slow()
  await using directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  let site: Guildhall = await start(environment)
  const { url } = site
  const { owner, path } = await makeRepository(url)
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/releases/new?tag=v1.0`)
  await slowDown(page, 3 * mebibyte)
  const large = 24 * mebibyte
  await drop(page, { 'big.bin': large, 'a.txt': 1000, 'notes.txt': 2000 })
  const big = files(page).filter({ hasText: 'big.bin' })
  await expect(big.getByText(inProgress)).toBeVisible()
  await page.getByRole('button', { name: 'Pause big.bin' }).click()
  await expect(big.getByText('paused')).toBeVisible()
  await expect(page.getByRole('link', { name: 'a.txt' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'notes.txt' })).toBeVisible()

  await site.end('SIGTERM')
  await page.getByRole('button', { name: 'Resume big.bin' }).click()
  await expect(big.getByText('connection lost, retrying')).toBeVisible()
  await slowDown(page, -1)
  site = await start(environment, url)
  await expect(page.getByRole('link', { name: 'big.bin' })).toBeVisible({ timeout: 40_000 })
  await page.getByRole('button', { name: 'Publish and create tag v1.0', exact: true }).click()
  await expect(page).toHaveURL(`${url}${path}/releases/tag/v1.0`)

  const reader = await browser.newPage()
  await reader.goto(`${url}${path}/releases/latest`)
  const href = (await reader.getByRole('link', { name: 'big.bin' }).getAttribute('href')) ?? ''
  const downloaded = await (await reader.request.get(url + href)).body()
  expect(createHash('sha256').update(downloaded).digest('hex')).toBe(digestOf('big.bin', large))
  const sums = await (await reader.request.get(`${url}${path}/releases/download/v1.0/SHA256SUMS`)).text()
  for (const [name, size] of [
    ['a.txt', 1000],
    ['big.bin', large],
    ['notes.txt', 2000],
  ] as const)
    expect(sums).toContain(`${digestOf(name, size)}  ${name}`)
  await reader.close()
  await site.end('SIGTERM')
})

test('publishing asks about an interrupted upload, which resumes when its file is selected again', async ({
  page,
  site,
}) => {
  const repository = await makeRepository(site.url)
  const { owner, path } = repository
  await makeRelease(site.url, repository, { tag_name: 'v1', draft: true })
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-releases-'))
  const file = join(directory, 'big.bin')
  const size = 24 * mebibyte
  await writeFile(file, Buffer.alloc(size, 'b'))
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/releases/edit/v1`)
  await slowDown(page, 6 * mebibyte)
  await page.getByLabel('Files to attach').setInputFiles(file)
  await expect(files(page).filter({ hasText: 'big.bin' }).getByText(inProgress)).toBeVisible()
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  const interrupted = files(page).filter({ hasText: 'Select the file again' })
  await expect(interrupted).toContainText(/^big\.bin[1-9][\d.]* MiB of 24 MiB uploaded/)
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('big.bin was interrupted')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await slowDown(page, -1)
  const offsets: number[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await page.route('**/api/uploads/*', route => route.fulfill({ status: 401 }), { times: 1 })
  await page.getByLabel('Files to attach').setInputFiles(file)
  await expect(files(page).getByRole('alert')).toHaveText(
    'Your session has ended. Sign in again in another tab, then try again.',
  )
  await page.getByRole('button', { name: 'Try again big.bin' }).click()
  const link = page.getByRole('link', { name: 'big.bin' })
  await expect(link).toBeVisible()
  expect(offsets[0]).toBeGreaterThan(0)
  const body = await (await page.request.get(site.url + (await link.getAttribute('href')))).body()
  expect(createHash('sha256').update(body).digest('hex')).toBe(digestOf('big.bin', size))
  await rm(directory, { recursive: true })
})

test('a file whose name is in use can replace the other or get a new name, and publishing asks about unfinished uploads', async ({
  page,
  site,
}) => {
  const repository = await makeRepository(site.url)
  const { owner, path } = repository
  const { id } = await makeRelease(site.url, repository, { tag_name: 'v1', draft: true })
  await attach(site.url, path, id, 'tool.zip', 'old')
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/releases/edit/v1`)
  await drop(page, { 'tool.zip': 10 })
  await page.getByRole('button', { name: 'Keep both tool.zip' }).click()
  await expect(page.getByRole('link', { name: 'tool-2.zip' })).toBeVisible()
  await drop(page, { 'tool.zip': 20 })
  await page.getByRole('button', { name: 'Replace tool.zip' }).click()
  await expect(files(page).filter({ has: page.getByRole('link', { name: 'tool.zip' }) })).toContainText(
    '20 bytes',
  )

  await slowDown(page, 2 * mebibyte)
  await drop(page, { 'late.bin': 24 * mebibyte })
  await page.getByRole('button', { name: 'Pause late.bin' }).click()
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('late.bin is paused')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await attach(site.url, path, id, 'elsewhere.zip', 'added by a program')
  await expect(page.getByRole('link', { name: 'elsewhere.zip' })).toBeVisible()
  await drop(page, { 'turned\u202e.zip': 1 })
  const refused = files(page).filter({ hasText: 'turned\\u202e.zip' })
  await expect(refused.getByRole('alert')).toHaveText('Attachment name must not contain control characters.')
  await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).click()
  await expect(dialog).toContainText('was rejected')
  await dialog.getByRole('button', { name: 'Publish without them' }).click()
  await expect(page.getByRole('button', { name: 'Update release' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove late.bin' }).click()
  await expect(page.getByText('late.bin')).toHaveCount(0)

  await page.getByLabel('Title').fill('Not saved yet')
  await page.getByRole('button', { name: 'Convert to draft…' }).click()
  await dialog.getByRole('button', { name: 'Convert to draft' }).click()
  await expect(page.getByRole('heading', { name: 'Draft of v1' })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Not saved yet')
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Saved as a draft.')).toBeVisible()

  await makeRelease(site.url, repository, { tag_name: 'v2' })
  await page.getByLabel('Tag', { exact: true }).fill('v2')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('A release named v2 already exists.')).toBeVisible()
  await expect(page.getByText('This tag is at commit')).toHaveCount(0)
})

test('a click on Publish right after typing the tag is not lost while the draft is saved', async ({
  page,
  site,
}) => {
  const { owner, path } = await makeRepository(site.url)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/releases/new`)
  await slowDown(page, mebibyte)
  await drop(page, { 'tool.zip': 8 * mebibyte })
  await expect(page.getByRole('button', { name: 'Pause tool.zip' })).toBeVisible()
  await page.getByLabel('Tag', { exact: true }).fill('v1')
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).hover()
  await page.mouse.down()
  await expect(page.getByRole('heading', { name: 'Draft of v1' })).toBeVisible()
  await page.mouse.up()
  await expect(page.getByRole('alertdialog')).toContainText('tool.zip is uploading')
})

test('neither a file added during publishing nor saving in another tab turns a published release back into a draft', async ({
  page,
  site,
}) => {
  const repository = await makeRepository(site.url)
  const { owner, path } = repository
  const isDraft = async (tag: string) =>
    (await call<{ draft: boolean }>(site.url, 'GET', `/repos${path}/releases/tags/${tag}`, undefined, owner))
      .draft
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/releases/new`)
  await page.getByLabel('Tag', { exact: true }).fill('v1')
  let goOn = (): void => undefined
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  await page.route('**/releases.create*', async route => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).click()
  await drop(page, { 'tool.zip': 10 })
  await expect(page.getByRole('button', { name: 'Pause tool.zip' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publishing…', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save draft', exact: true })).toBeVisible()
  goOn()
  await expect(page.getByRole('link', { name: 'tool.zip' })).toBeVisible()
  expect(await isDraft('v1')).toBe(false)

  const { id } = await makeRelease(site.url, repository, { tag_name: 'v2', draft: true })
  const following = '**/live.follow*'
  await page.route(following, route => route.abort())
  await page.goto(`${site.url}${path}/releases/edit/v2`)
  await call(site.url, 'PATCH', `/repos${path}/releases/${id}`, { draft: false }, owner)
  await page.getByLabel('Title').fill('Two')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Someone else published this release while you were editing.')).toBeVisible()
  await page.getByRole('button', { name: 'Update release' }).click()
  await expect(page).toHaveURL(`${site.url}${path}/releases/tag/v2`)
  expect(await isDraft('v2')).toBe(false)
})

test('publishing opens the release, whose editor shows changes by others', async ({ page, site }) => {
  const { owner, path } = await makeRepository(site.url)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/releases/new`)
  await page.getByLabel('Tag', { exact: true }).fill('v1')
  await page.getByRole('button', { name: 'Publish and create tag v1', exact: true }).click()
  await expect(page).toHaveURL(`${site.url}${path}/releases/tag/v1`)

  await page.getByRole('link', { name: 'Edit v1', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Update release' })).toBeVisible()
  await isLive(page)
  const at = `/repos${path}/releases`
  const { id } = await call<{ id: number }>(site.url, 'GET', `${at}/tags/v1`, undefined, owner)
  await call(site.url, 'PATCH', `${at}/${id}`, { draft: true }, owner)
  await expect(page.getByText('This release is a draft again')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish release', exact: true })).toBeVisible()
  await call(site.url, 'DELETE', `${at}/${id}`, undefined, owner)
  await expect(page.getByText('This release was deleted.')).toBeVisible()
})

test('the list shows the beginning of long notes, and readers see no drafts or buttons', async ({
  page,
  browser,
  site,
}) => {
  const repository = await makeRepository(site.url)
  const { owner, path } = repository
  const { id } = await makeRelease(site.url, repository, { tag_name: 'release/1.0', name: 'One' })
  await makeRelease(site.url, repository, { tag_name: 'v1.1', body: '- [news](/-/sign-in)\n'.repeat(50) })
  await makeRelease(site.url, repository, { tag_name: 'v2-rc', prerelease: true })
  await makeRelease(site.url, repository, { tag_name: 'v3', draft: true })
  await signIn(page, site.url, owner, password)
  const at = `${site.url}${path}`
  await page.goto(`${at}/tags`)
  await page.getByRole('link', { name: 'View release for release/1.0' }).click()
  await expect(page.getByRole('heading', { name: 'One', exact: true })).toBeVisible()

  const reader = await browser.newPage()
  await attach(site.url, path, id, 'SHA256SUMS', 'of something else')
  await reader.goto(`${at}/releases/tag/release/1.0`)
  await expect(files(reader).getByRole('link', { name: 'SHA256SUMS' })).toBeVisible()
  await expect(reader.getByText('sha256sum --check')).toHaveCount(0)
  await reader.goto(`${at}/releases/tag/v1.1`)
  await expect(reader.getByRole('link', { name: 'news' })).toHaveCount(50)
  await reader.goto(`${at}/releases`)
  await expect(reader.getByRole('link', { name: 'news' })).toHaveCount(16)
  await expect(reader.getByRole('link', { name: 'Read more about v1.1' })).toBeVisible()
  await expect(reader.getByRole('article')).toHaveCount(3)
  await expect(reader.getByRole('link', { name: /Edit/ })).toHaveCount(0)
  expect((await reader.request.get(`${at}/releases/edit/v3`)).url()).toContain('/-/sign-in')
  expect((await reader.request.get(`${at}/releases/tag/v3`)).status()).toBe(404)
  await reader.close()
})
