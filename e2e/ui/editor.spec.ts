import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { call, makePerson, password } from './people'
import { pushFiles } from './push'
import { expect, signIn, test } from './site'

const guide = `# Guide\n\n${Array.from({ length: 30 }, (_, index) => `Line ${index + 1}\n`).join('')}`

/** Creates a repository of a new person, who is signed in, and returns its path with the files as they are on a branch. */
async function makeScene(page: Page, url: string, files: Record<string, string>) {
  const owner = await makePerson(url, 'editor')
  const at = `/${owner}/texts`
  await call(
    url,
    'POST',
    '/user/repos',
    { name: 'texts', auto_init: true, default_branch: 'trunk/one' },
    owner,
  )
  await call(
    url,
    'POST',
    `/repos${at}/contents`,
    {
      message: 'Add files',
      files: Object.entries(files).map(([path, text]) => ({
        operation: 'create',
        path,
        content: Buffer.from(text).toString('base64'),
      })),
    },
    owner,
  )
  await signIn(page, url, owner, password)
  const read = async (path: string, ref = 'trunk/one'): Promise<string> => {
    const query = `ref=${encodeURIComponent(ref)}`
    const authorization = `Basic ${Buffer.from(`${owner}:${password}`).toString('base64')}`
    const response = await fetch(`${url}/api/v1/repos${at}/raw/${path}?${query}`, {
      headers: { authorization },
    })
    return response.ok ? await response.text() : `status ${response.status}`
  }
  return { owner, at: url + at, read }
}

const textOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Content of the file' })
const nameOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Name of the file' })
const commitOf = (page: Page): Locator => page.getByRole('button', { name: 'Commit changes' })

/** Shows the page on a phone, and expects that it fits. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
}

/** What the browser keeps of texts that are not committed. */
const draftsOf = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage))

/** Waits for the editor, which replaces a plain field. */
async function edited(page: Page): Promise<Locator> {
  await expect(page.locator('.cm-editor')).toBeVisible()
  return textOf(page)
}

test('a file can be edited by keyboard alone, from its page until it is committed', async ({
  page,
  site: { url },
}) => {
  const { at, read } = await makeScene(page, url, { 'docs/guide.md': guide })
  await page.goto(`${at}/src/branch/trunk/one/docs/guide.md`)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
  await isLive(page)
  await page.keyboard.press('e')
  await expect(page).toHaveURL(`${at}/_edit/trunk/one/docs/guide.md`)
  const text = await edited(page)
  await expectAccessible(page)

  // Tab indents, and Escape lets the next Tab leave.
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Tab')
  await page.keyboard.type('last')
  await expect(text).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type('Extend the guide')

  // What the text will look like, and what has changed.
  await page.getByRole('button', { name: 'Preview', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Guide' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
  await expect(page.getByText('unchanged lines')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')

  await text.focus()
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(`${at}/src/branch/trunk/one/docs/guide.md`)
  await expect(page.getByText(/^Committed [0-9a-f]{10} to/)).toBeVisible()
  await expect(page.getByRole('main')).toContainText('last')
  await expect(page.getByRole('region', { name: 'Latest commit' })).toContainText('Extend the guide')
  expect(await read('docs/guide.md')).toBe(`${guide}  last`)
})

test('two people’s changes of a file are shown next to each other and merged', async ({
  page,
  context,
  site: { url },
}) => {
  const { at, read } = await makeScene(page, url, { 'docs/guide.md': guide })
  const address = `${at}/_edit/trunk/one/docs/guide.md`
  await page.goto(address)
  const mine = await edited(page)
  await isLive(page)
  const other = await context.newPage()
  await other.goto(address)
  const theirs = await edited(other)
  await theirs.focus()
  await other.keyboard.press('Control+Home')
  await other.keyboard.type('Theirs\n')
  await commitOf(other).click()
  await expect(other).toHaveURL(/\/src\//)

  await mine.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Mine')
  await expect(page.getByText('This file has changed')).toBeVisible()
  await expect.poll(() => draftsOf(page)).toContain('Mine')
  await page.evaluate(() => localStorage.clear())
  await commitOf(page).click()
  await expect(page.getByText('Your changes were combined with the newer version')).toBeVisible()
  expect(await draftsOf(page)).toContain('Mine')
  await expectAccessible(page)
  expect(await read('docs/guide.md')).not.toContain('Mine')
  await page.getByRole('button', { name: 'Continue with the result' }).click()
  await expect(page.getByText('This file has changed')).toBeHidden()

  // A change of the same line is not combined.
  await other.goto(address)
  await edited(other)
  await theirs.focus()
  await other.keyboard.press('Control+Home')
  await other.keyboard.type('Again ')
  await expect.poll(() => draftsOf(page)).toContain('Again ')
  await commitOf(other).click()
  await expect(other).toHaveURL(/\/src\//)
  // The draft was the other tab’s, and this one keeps its own text again.
  await expect.poll(() => draftsOf(page)).toContain('Mine')
  await mine.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Still ')
  await expect(page.getByText('This file has changed')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Show the newer version' }).click()
  await expect(page.getByText('One region was changed by both of you')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use their version' }).first().press('Enter')
  await page.getByRole('button', { name: 'Continue with the result' }).click()
  await commitOf(page).click()
  await expect(page).toHaveURL(/\/src\//)
  expect(await read('docs/guide.md')).toBe(`Again Theirs\n${guide}Mine`)
})

test('unsaved text survives a reload, and a lost session', async ({ page, context, site: { url } }) => {
  const { owner, at, read } = await makeScene(page, url, { 'a.txt': 'one\r\ntwo\r\n' })
  page.on('dialog', dialog => void dialog.accept())
  await page.goto(`${at}/_edit/trunk/one/a.txt`)
  const text = await edited(page)
  await expect(page.getByText('CRLF')).toBeVisible()
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('three\n')
  await page.reload()
  await edited(page)
  await expect(text).not.toContainText('three')
  await expectAccessible(page)
  await page.evaluate(() => localStorage.clear())
  await page.getByRole('button', { name: 'Restore your unsaved changes' }).click()
  await expect(text).toContainText('three')
  await expect.poll(() => draftsOf(page)).toContain('three')

  // Text that was made of a version that is no longer the newest is restored as well.
  await pushFiles(url, new URL(at).pathname, owner, { 'a.txt': 'zero\r\none\r\ntwo\r\n' }, 'trunk/one')
  await expect(page.getByText('This file has changed')).toBeVisible()
  // As another tab does that edits this file.
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await edited(page)
  await page.getByRole('button', { name: 'Restore your unsaved changes' }).click()
  await page.getByRole('button', { name: 'Show the newer version' }).click()
  await page.getByRole('button', { name: 'Continue with the result' }).click()

  await context.clearCookies()
  await commitOf(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(`Signed in again as ${owner}`)).toBeVisible()
  await commitOf(page).click()
  await expect(page).toHaveURL(/\/src\//)
  expect(await read('a.txt')).toBe('zero\r\none\r\ntwo\r\nthree\r\n')
  await page.goto(`${at}/_edit/trunk/one/a.txt`)
  await edited(page)
  await expect(page.getByText('You have changes that weren’t committed')).toBeHidden()
})

test('files can be created in a new branch, renamed, and deleted', async ({ page, site: { url } }) => {
  const { owner, at, read } = await makeScene(page, url, { 'docs/guide.md': guide })
  await page.goto(`${at}/src/branch/trunk/one/docs`)
  await page.getByRole('button', { name: 'Add file' }).click()
  await page.getByRole('menuitem', { name: 'New file' }).click()
  await expect(nameOf(page)).toBeFocused()
  await commitOf(page).click()
  await expect(page.getByText('Enter a name for the file.')).toBeVisible()
  await nameOf(page).pressSequentially('guide.md')
  await commitOf(page).click()
  await expect(page.getByText('There is a file "docs/guide.md" already.')).toBeVisible()
  await nameOf(page).fill('')
  await nameOf(page).pressSequentially('../src/main.py')
  await (await edited(page)).focus()
  await page.keyboard.type('print(1)')
  await page.getByRole('radio', { name: 'Create a new branch' }).check()
  const newBranch = page.getByRole('textbox', { name: 'Name of the new branch' })
  await expect(newBranch).toHaveValue(`${owner}-patch-1`)
  for (const [name, problem] of [
    ['trunk/one', 'A branch named "trunk/one" already exists.'],
    ['x'.repeat(251), 'A branch name can have at most 250 bytes between two slashes, and 1,000 in all.'],
  ] as const) {
    await newBranch.fill(name)
    await commitOf(page).click()
    await expect(page.getByText(problem)).toBeVisible()
  }
  await newBranch.fill(`${owner}-patch-1`)
  await expectNarrow(page)
  await expectAccessible(page)
  await commitOf(page).click()
  await expect(page).toHaveURL(`${at}/src/branch/${owner}-patch-1/src/main.py`)
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveAttribute(
    'href',
    new RegExp(`/compare/trunk/one\\.\\.\\.${owner}-patch-1$`),
  )
  expect(await read('src/main.py', `${owner}-patch-1`)).toBe('print(1)')

  await page.getByRole('button', { name: 'More actions for this file' }).click()
  await page.getByRole('menuitem', { name: 'Rename or move' }).click()
  await expect(nameOf(page)).toBeFocused()
  await edited(page)
  await nameOf(page).fill('lib/main.py')
  await commitOf(page).click()
  await expect(page).toHaveURL(`${at}/src/branch/${owner}-patch-1/src/lib/main.py`)

  await page.getByRole('button', { name: 'More actions for this file' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Delete src/lib/main.py?')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete file' }).click()
  // Its directories are gone as well.
  await expect(page).toHaveURL(`${at}/src/branch/${owner}-patch-1`)
  await expect(page.getByRole('table', { name: 'Files' })).not.toContainText('src')
})

test('30 files are uploaded, some in a folder, and one replaces another', async ({ page, site: { url } }) => {
  const { at, read } = await makeScene(page, url, { 'file-1.txt': 'old' })
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-upload-'))
  try {
    await mkdir(join(directory, 'photos/deep'), { recursive: true })
    for (let count = 1; count <= 5; count++) {
      await writeFile(join(directory, 'photos/deep', `${count}.bin`), Buffer.from([0, 255, count]))
    }
    await page.goto(`${at}/_upload/trunk/one`)
    await expect(page.getByRole('button', { name: 'Select files' })).toBeVisible()
    await isLive(page)
    await page.getByRole('button', { name: 'Commit files' }).click()
    const noFiles = page.getByText('Add at least one file.')
    await expect(noFiles).toBeVisible()
    const files = Array.from({ length: 26 }, (_, index) => ({
      name: `file-${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(index === 1 ? 'x'.repeat(300_000) : `${index}`),
    }))
    await page.getByLabel('Files', { exact: true }).setInputFiles(files)
    await page.getByLabel('Folder', { exact: true }).setInputFiles(join(directory, 'photos'))
    await expect(page.getByText('31 files')).toBeVisible()
    await expect(noFiles).toBeHidden()
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: '.git', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await expect(page.getByRole('listitem').filter({ hasText: '.git' })).toContainText(
      '“.git” can’t be part of a path.',
    )
    await expectAccessible(page)
    await expect(page.getByRole('listitem').filter({ hasText: 'Replaces a file' })).toContainText(
      'file-1.txt',
    )
    await page.getByRole('button', { name: 'Commit files' }).click()
    const forbidden = page.getByText('Remove the marked file from the list.')
    await expect(forbidden).toBeVisible()
    await page.getByRole('button', { name: 'Remove .git' }).click()
    await expect(forbidden).toBeHidden()
    await page.getByRole('button', { name: 'Remove file-0.txt' }).click()
    await expect(page.getByText('30 files,')).toBeVisible()
    await expectAccessible(page)
    await expectNarrow(page)
    await page.getByRole('button', { name: 'Commit files' }).click()
    await expect(page).toHaveURL(`${at}/src/branch/trunk/one`)
    await expect(page.getByRole('region', { name: 'Latest commit' })).toContainText('Upload 30 files')
    expect(await read('photos/deep/5.bin')).toContain('\u0005')
    expect(await read('file-1.txt')).toHaveLength(300_000)
    expect(await read('file-0.txt')).toBe('status 404')
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('an upload shows how much was sent, and can be canceled by keyboard', async ({
  page,
  site: { url },
}) => {
  const { at, read } = await makeScene(page, url, { 'a.txt': 'a' })
  await page.goto(`${at}/_upload/trunk/one`)
  await isLive(page)
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'big.bin', mimeType: 'text/plain', buffer: Buffer.alloc(6 * 1024 * 1024, 'x') })
  const session = await page.context().newCDPSession(page)
  const speed = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await speed(1024 * 1024)
  const commit = page.getByRole('button', { name: 'Commit files' })
  await commit.press('Enter')
  await expect(page.getByRole('button', { name: /^Uploading [1-9]\d?% of 6 MiB/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel upload' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'The upload was canceled.' })).toBeAttached()
  await expect(commit).toBeFocused()
  await speed(-1)
  expect(await read('big.bin')).toBe('status 404')

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${at}/src/branch/trunk/one`)
  expect(await read('big.bin')).toHaveLength(6 * 1024 * 1024)
})

test('people who cannot change files are told why', async ({ page, browser, site: { url } }) => {
  const { owner, at } = await makeScene(page, url, { 'a.txt': 'a', 'b.bin': 'a\0b' })
  await page.goto(`${at}/_edit/trunk/one/b.bin`)
  await expect(page.getByText('This file isn’t text, so it can’t be edited here')).toBeVisible()
  await expectAccessible(page)

  const visitor = await browser.newPage()
  await visitor.goto(`${at}/src/branch/trunk/one/a.txt`)
  await expect(visitor.getByRole('link', { name: 'Raw' })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Edit', exact: true })).toBeHidden()
  await signIn(visitor.context(), url, await makePerson(url, 'reader'), password)
  await visitor.goto(`${at}/_edit/trunk/one/a.txt`)
  await expect(visitor.getByText('You can’t change files of this repository')).toBeVisible()
  await visitor.close()

  await call(url, 'PATCH', `/repos/${owner}/texts`, { archived: true }, owner)
  await page.goto(`${at}/src/branch/trunk/one/a.txt`)
  await page.getByRole('button', { name: 'Edit: This repository is archived' }).hover()
  await expect(page.getByText('Edit: This repository is archived')).toBeVisible()
  await expectAccessible(page)
})
