import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { gitOk } from '@/testing/git'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

const count = 122

/**
 * Creates a repository and a clone of it, with the branches main and topic-1 to topic-121, each with a newer
 * commit, and several tags.
 */
async function makeRefs(site: string) {
  const owner = await makePerson(site, 'nora')
  await call(site, 'POST', '/user/repos', { name: 'many' }, owner)
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-branches-'))
  const git = (...args: string[]) => gitOk(args, { cwd })
  const names = ['main', ...Array.from({ length: count - 1 }, (_, index) => `topic-${index + 1}`)]
  const commits = names.map((name, index) => {
    const person = `Nora <nora@x> ${1_780_000_000 + 60 * index} +0000`
    const message = `Work on ${name}`
    return `commit refs/heads/${name}\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n${message}\n`
  })
  await git('init', '-q', '-b', 'main')
  await gitOk(['fast-import', '--quiet'], { cwd, input: commits.join('\n') })
  for (const tag of ['v1.9', 'v1.10', 'v2.0-rc1', 'v2.0']) await git('tag', tag, 'main')
  const address = new URL(`${site}/${owner}/many.git`)
  address.username = owner
  address.password = password
  await git('remote', 'add', 'origin', address.href)
  await git('push', '-q', 'origin', '--all')
  await git('push', '-q', 'origin', '--tags')
  return {
    owner,
    path: `/${owner}/many`,
    git,
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  }
}

const rowsOf = (page: Page, list: 'Branches' | 'Tags') =>
  page.getByRole('region', { name: new RegExp(list, 'i') }).getByRole('listitem')

test('branches can be searched, sorted, deleted, and restored with the command shown', async ({
  page,
  site,
}) => {
  await using refs = await makeRefs(site.url)
  await signIn(page, site.url, refs.owner, password)
  await page.goto(`${site.url}${refs.path}/branches`)
  const rows = rowsOf(page, 'Branches')
  await expect(rows).toHaveCount(30)
  await expect(rows.nth(0)).toContainText('Default')
  await expect(rows.nth(0).getByRole('checkbox')).toHaveCount(0)
  await expect(rows.nth(0).getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await expect(rows.nth(1)).toContainText('topic-121')
  await page.getByLabel('Sort by').selectOption({ label: 'Name' })
  await expect(rows.nth(1)).toContainText('topic-1')
  await expect(rows.nth(2)).toContainText('topic-10')
  const filter = page.getByRole('searchbox', { name: 'Find a branch' })
  await filter.fill('TOPIC-7')
  await expect(rows).toHaveCount(11)
  await page.reload()
  await expect(rows).toHaveCount(11)
  await expect(page).toHaveURL(/[?]sort=name&q=TOPIC-7$/)

  await rows.nth(1).getByRole('button', { name: 'Delete topic-70' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete the branch topic-70?' })
  const sha = await refs.git('rev-parse', 'topic-70')
  await expect(dialog).toContainText(`Its last commit is ${sha.slice(0, 10)}`)
  await expect(dialog).toContainText('Work on topic-70')
  const restore = `git push origin ${sha}:refs/heads/topic-70`
  await expect(dialog.getByText(restore, { exact: true })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete branch' }).click()
  await expect(page.getByText('Deleted topic-70', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(10)
  await refs.git(...restore.split(' ').slice(1), '-q')
  await expect(rows).toHaveCount(11)

  await rows.nth(2).getByRole('button', { name: 'Delete topic-71' }).click()
  const stale = page.getByRole('alertdialog')
  await refs.git('push', '-q', '--force', 'origin', 'topic-72:topic-71')
  await expect(rows.filter({ hasText: 'Work on topic-72' })).toHaveCount(2)
  await stale.getByRole('button', { name: 'Delete branch' }).click()
  await expect(stale.getByText('topic-71 now points to a different commit')).toBeVisible()
  await stale.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows).toHaveCount(11)
})

test('at most 100 branches can be selected on two pages and deleted together', async ({ page, site }) => {
  await using refs = await makeRefs(site.url)
  await signIn(page, site.url, refs.owner, password)
  await page.goto(`${site.url}${refs.path}/branches`)
  const rows = rowsOf(page, 'Branches')
  await page.getByLabel('Rows per page').selectOption('100')
  await expect(rows).toHaveCount(100)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  // Selecting rows moves the content below the list, which could move the link between mouse down and up.
  await expect(page.getByRole('group', { name: 'Actions for the selected rows' })).toContainText(
    '99 selected',
  )
  await page
    .getByRole('navigation', { name: 'Pages of branches' })
    .getByRole('link', { name: /Next/ })
    .click()
  await expect(rows).toHaveCount(count - 100)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(page.getByText('100 selected, the maximum')).toBeVisible()
  await page.getByRole('button', { name: 'Delete 100 branches' }).click()
  const bulk = page.getByRole('alertdialog', { name: 'Delete 100 branches?' })
  await expect(bulk).toContainText(
    `git push origin ${await refs.git('rev-parse', 'topic-100')}:refs/heads/topic-100`,
  )
  await expectAccessible(page)
  await bulk.getByRole('button', { name: 'Delete 100 branches' }).click()
  await expect(page.getByText('Deleted 100 branches')).toBeVisible()
  await expect(rows).toHaveCount(count - 100)
  expect((await refs.git('ls-remote', '--heads', 'origin')).split('\n')).toHaveLength(count - 100)
})

test('branches can be deleted by keyboard', async ({ page, site }) => {
  await using refs = await makeRefs(site.url)
  await signIn(page, site.url, refs.owner, password)
  await page.goto(`${site.url}${refs.path}/branches`)
  const rows = rowsOf(page, 'Branches')
  const filter = page.getByRole('searchbox', { name: 'Find a branch' })
  await expect(filter).toBeEditable()
  await filter.focus()
  await page.keyboard.type('topic-10')
  await expect(rows).toHaveCount(11)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Sort by')).toBeFocused()
  await page.keyboard.type('Name')
  await expect(page).toHaveURL(/sort=name/)
  await expect(rows.nth(1)).toContainText('topic-100')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused()
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
  const selected = page.getByRole('group', { name: 'Actions for the selected rows' })
  await expect(selected).toContainText('3 selected')
  await selected.getByRole('button', { name: 'Delete 3 branches' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Delete 3 branches?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  // The dialog takes over the Tab key shortly after it opens.
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Delete 3 branches' })).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(8)
  await expect(rows.first()).toContainText('topic-102')
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused()
})

test('tags are sorted by version, tags of releases cannot be deleted, and readers cannot delete any', async ({
  page,
  browser,
  site,
}) => {
  await using refs = await makeRefs(site.url)
  const { owner, path } = refs
  await call(site.url, 'POST', `/repos${path}/releases`, { tag_name: 'v1.9' }, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}${path}/tags`)
  const rows = rowsOf(page, 'Tags')
  const names = rows.getByRole('heading')
  await expect(names).toHaveText(['v2.0', 'v2.0-rc1', 'v1.10', 'v1.9'])
  await page.getByLabel('Sort by').selectOption({ label: 'Name' })
  await expect(names).toHaveText(['v1.10', 'v1.9', 'v2.0', 'v2.0-rc1'])
  const released = rows.filter({ hasText: 'v1.9' })
  await expect(released.getByRole('link', { name: 'View release for v1.9' })).toBeVisible()
  await expect(released.getByRole('button', { name: /^Delete/ })).toHaveCount(0)

  const reader = await browser.newPage()
  await reader.goto(`${site.url}${path}/tags`)
  await expect(rowsOf(reader, 'Tags')).toHaveCount(4)
  await expect(reader.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await expect(reader.getByRole('checkbox')).toHaveCount(0)
  await reader.close()

  await page.getByRole('button', { name: 'Delete v2.0-rc1' }).click()
  await expect(
    page.getByRole('alertdialog').getByText(/^git push origin \w+:refs\/tags\/v2.0-rc1$/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Delete tag' }).click()
  await expect(names).toHaveText(['v1.10', 'v1.9', 'v2.0'])

  await call(site.url, 'PATCH', `/repos${path}`, { archived: true }, owner)
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await page.goto(`${site.url}${path}/branches`)
  await expect(rowsOf(page, 'Branches')).toHaveCount(30)
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
})
