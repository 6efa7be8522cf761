import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { pushFiles } from './push'
import { expect, signIn, test } from './site'

const mebibyte = 1024 * 1024

/** Creates a repository with three files and signs its owner in. */
async function makeDepot(page: Page, url: string) {
  const owner = await makePerson(url, 'loader')
  await call(url, 'POST', '/user/repos', { name: 'depot', auto_init: true }, owner)
  const at = `/${owner}/depot`
  await pushFiles(url, at, owner, { 'docs/a b.txt': 'old\n', 'docs/deep/only.txt': 'only\n' })
  await signIn(page, url, owner, password)
  return { owner, at, api: `/repos${at}` }
}

/** Returns the paths and sizes of the files of a branch. */
async function filesAt(url: string, owner: string, ref = 'main'): Promise<Record<string, number>> {
  const { tree } = await call<{ tree: { path: string; type: string; size: number }[] }>(
    url,
    'GET',
    `/repos/${owner}/depot/git/trees/${ref}?recursive=true`,
    undefined,
    owner,
  )
  return Object.fromEntries(tree.filter(({ type }) => type === 'blob').map(({ path, size }) => [path, size]))
}

async function withFolder(
  files: Record<string, string>,
  act: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-upload-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    await act(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const listed = (page: Page) => page.getByRole('list', { name: 'Files to upload' }).getByRole('listitem')

test('thirty files are uploaded in one commit, among them a dropped folder, a selected one, and a file that exists', async ({
  page,
  site: { url },
}) => {
  const { owner, at } = await makeDepot(page, url)
  await page.goto(`${url}${at}/src/branch/main/docs`)
  await page.getByRole('button', { name: 'Add file' }).click()
  await page.getByRole('menuitem', { name: 'Upload files' }).click()
  await expect(page.getByRole('heading', { name: 'Upload files' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Upload files' }).click()
  await expect(page.getByText('Add files first.')).toBeVisible()

  // Together they are longer than what a request can contain outside of files.
  const single = Array.from({ length: 18 }, (_, index) => ({
    name: index === 0 ? 'a b.txt' : `file ${index}.bin`,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(80_000, index),
  }))
  await page.getByLabel('Files to add').setInputFiles(single)
  await expect(page.getByText('18 files, 1.4 MiB · 1 replaces a present file')).toBeVisible()
  const inFolder = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`set/${index % 2 ? 'odd/' : ''}${index}.txt`, `${index}\n`]),
  )
  const dropped = { 'more/ä/1.txt': 'a', 'more/2': '', 'more/3': '3', 'more/4': '4', 'more/5': '5' }
  await withFolder({ ...inFolder, 'set/.git/config': '[core]\n', ...dropped, 5: 'five' }, async folder => {
    await page.getByLabel('Folder to add').setInputFiles(join(folder, 'set'))
    await drop(page, [join(folder, 'more'), join(folder, '5')])
    await expect(listed(page)).toHaveCount(31)
    await expect(listed(page).first()).toContainText('set/.git/config')
    await expect(listed(page).first()).toContainText('Git reserves the name .git.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Upload files' }).click()
    await expect(page.getByText('Remove the files that can’t be uploaded first.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove what can’t be uploaded' }).click()
    await expect(listed(page)).toHaveCount(30)
    await expect(page.getByLabel('Commit message')).toHaveAttribute('placeholder', 'Upload 30 files')
    await page.getByRole('button', { name: 'Upload files' }).click()
    await expect(page).toHaveURL(`${url}${at}/src/branch/main/docs`)
  })
  await expect(page.getByText('Uploaded 30 files', { exact: true })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Files' }).getByRole('row', { name: 'set' })).toContainText(
    'Upload 30 files',
  )
  const files = await filesAt(url, owner)
  expect(Object.keys(files)).toHaveLength(32)
  expect(files).toMatchObject({
    'docs/a b.txt': 80_000,
    'docs/set/odd/3.txt': 2,
    'docs/more/ä/1.txt': 1,
    'docs/5': 4,
  })
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`files are uploaded to a new branch and deleted by keyboard, ${viewport.width} pixels wide`, async ({
    page,
    site: { url },
  }) => {
    await page.setViewportSize(viewport)
    const { owner, at } = await makeDepot(page, url)
    await page.goto(url + at)
    await page.getByRole('button', { name: 'Add file' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Upload files' }).press('Enter')
    await page.waitForURL(`${url}${at}/_upload/main`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Select files' }).press('Enter')
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await (await chooser).setFiles([file('README.md'), file('w'.repeat(200)), file('x.txt')])
    await expect(listed(page)).toHaveCount(3)
    await page.getByRole('button', { name: `Remove ${'w'.repeat(200)}` }).press('Enter')
    await expect(page.getByRole('button', { name: 'Remove x.txt' })).toBeFocused()
    await page.getByLabel('Commit message').press('Shift+A')
    await page.keyboard.type('dd two')
    await page.getByLabel('Extended description').focus()
    await page.keyboard.type('In one commit.')
    await page.getByLabel('Commit directly to main').press('ArrowDown')
    const name = page.getByLabel('Name of the new branch')
    await expect(name).toHaveValue(`${owner}-patch-1`)
    await name.fill('main')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('This branch exists already. Enter another name.')).toBeVisible()
    await expect(name).toBeFocused()
    await page.keyboard.type('..')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Use a branch name that Git allows')).toBeVisible()
    await expect(name).toBeFocused()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    await name.fill('topic/one')
    await page.getByLabel('Sign off').press('Space')
    await page.keyboard.press('Control+Enter')
    await expect(page).toHaveURL(`${url}${at}/src/branch/topic/one`)
    await page.getByRole('link', { name: 'Compare' }).press('Enter')
    await expect(page).toHaveURL(`${url}${at}/compare/main...topic/one`)
    const commit = await call<{ commit: { message: string } }>(
      url,
      'GET',
      `/repos${at}/git/commits/topic%2Fone`,
      undefined,
      owner,
    )
    expect(commit.commit.message).toMatch(/^Add two\n\nIn one commit\.\n\nSigned-off-by: .*\n$/)

    await page.goto(`${url}${at}/src/branch/topic/one/docs/deep/only.txt`)
    await page.getByRole('button', { name: 'More file actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete file' }).press('Enter')
    await page.waitForURL(`${url}${at}/_delete/topic/one/docs/deep/only.txt`)
    await expect(page.getByText('5 bytes')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    await page.getByRole('button', { name: 'Delete file' }).press('Enter')
    // Its directory is empty now.
    await expect(page).toHaveURL(`${url}${at}/src/branch/topic/one/docs`)
    await expect(page.getByText('Deleted only.txt')).toBeVisible()
    expect(Object.keys(await filesAt(url, owner, 'topic%2Fone'))).toEqual([
      'README.md',
      'docs/a b.txt',
      'x.txt',
    ])
  })
}

test('an upload that is canceled, or fails, keeps its files, and what is too large is not sent', async ({
  page,
  site: { url },
}) => {
  const { owner, at } = await makeDepot(page, url)
  await page.goto(`${url}${at}/_upload/main/docs/new`)
  const field = page.getByLabel('Files to add')
  const big = (name: string, size: number) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(size),
  })
  const submit = page.getByRole('button', { name: 'Upload files' })
  await field.setInputFiles([big('one.bin', 20 * mebibyte)])
  await field.setInputFiles([big('two.bin', 4 * mebibyte)])
  await expect(page.getByText('24 MiB can’t be uploaded at once')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove two.bin' }).click()

  const session = await page.context().newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await limit(2 * mebibyte)
  await submit.click()
  await expect(page.getByRole('progressbar', { name: 'Uploading…' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(page.getByText('The upload was canceled. Nothing was committed.')).toBeVisible()
  await limit(-1)

  await page.route('**/api/trpc/code.changeFiles', route => route.abort())
  await submit.click()
  await expect(page.getByText('Couldn’t reach the server.')).toBeVisible()
  await expect(listed(page)).toHaveCount(1)
  await page.unroute('**/api/trpc/code.changeFiles')
  await submit.click()
  await expect(page).toHaveURL(`${url}${at}/src/branch/main/docs/new`)
  expect(await filesAt(url, owner)).toMatchObject({ 'docs/new/one.bin': 20 * mebibyte })
})

test('only people who can push to a branch are offered to change its files', async ({
  page,
  site: { url },
}) => {
  const { owner, at, api } = await makeDepot(page, url)
  const add = page.getByRole('button', { name: 'Add file' })
  const more = page.getByRole('button', { name: 'More file actions' })
  const commits = await call<{ sha: string }[]>(url, 'GET', `${api}/commits`, undefined, owner)
  await page.goto(`${url}${at}/src/commit/${commits[0]?.sha}/docs`)
  await expect(page.getByRole('table', { name: 'Files' })).toBeVisible()
  await expect(add).toHaveCount(0)
  await page.goto(`${url}${at}/src/commit/${commits[0]?.sha}/README.md`)
  await expect(page.getByRole('link', { name: 'Permalink', exact: true })).toBeVisible()
  await expect(more).toHaveCount(0)

  await page.context().clearCookies()
  await signIn(page, url, await makePerson(url, 'reader'), password)
  await page.goto(url + at)
  await expect(page.getByRole('table', { name: 'Files' })).toBeVisible()
  await expect(add).toHaveCount(0)
  for (const path of ['_upload/main', '_delete/main/README.md']) {
    expect((await page.goto(`${url}${at}/${path}`))?.status()).toBe(404)
  }
})

test('an empty repository gets its first commit from an upload', async ({ page, site: { url } }) => {
  const owner = await makePerson(url, 'beginner')
  await call(url, 'POST', '/user/repos', { name: 'depot' }, owner)
  await signIn(page, url, owner, password)
  await page.goto(`${url}/${owner}/depot`)
  await page.getByRole('main').getByRole('link', { name: 'Upload files' }).click()
  await page
    .getByLabel('Files to add')
    .setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }])
  await page.getByRole('button', { name: 'Upload files' }).click()
  await expect(page).toHaveURL(`${url}/${owner}/depot/src/branch/main`)
  expect(await filesAt(url, owner)).toEqual({ 'a.txt': 1 })
})

/** Drops files and folders of this machine on the page. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: 100,
      y: 300,
      data: { items: [], files: [...files], dragOperationsMask: 1 },
    })
  }
}
