import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { call, makePerson, password } from './people'
import { pushFiles } from './push'
import { expect, signIn, test } from './site'

/** Creates a repository with two commits and signs its owner in. */
async function makeDepot(page: Page, url: string) {
  const owner = await makePerson(url, 'brancher')
  await call(url, 'POST', '/user/repos', { name: 'depot', auto_init: true }, owner)
  const at = `/${owner}/depot`
  await pushFiles(url, at, owner, { 'docs/a b.txt': 'a\n', '.gitea/workflows/ci.yml': workflow })
  await signIn(page, url, owner, password)
  return { owner, at, api: `/repos${at}` }
}

const workflow = 'name: CI\non: workflow_dispatch\njobs:\n  build: {runs-on: forge, steps: [{run: make}]}\n'

const rowOf = (page: Page, list: 'Branches' | 'Tags', name: string) =>
  page
    .getByRole('region', { name: list })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading').getByRole('link', { name, exact: true }) })

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`branches are created and renamed by keyboard, and former names redirect, ${viewport.width} pixels wide`, async ({
    page,
    site: { url },
  }) => {
    await page.setViewportSize(viewport)
    const { owner, at, api } = await makeDepot(page, url)
    await page.goto(`${url}${at}/branches`)
    await page.getByRole('button', { name: 'New branch' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create a branch' })
    const name = dialog.getByLabel('Name')
    await expect(name).toBeFocused()
    await expect(dialog.getByLabel('Source')).toHaveValue('main')
    await expectAccessible(page)
    await page.keyboard.type('main')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('A branch named "main" already exists.')).toBeVisible()
    await expect(name).toBeFocused()
    await expectAccessible(page)
    await name.fill('topic/one')
    await dialog.getByLabel('Source').fill('nowhere')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('No branch, tag, or commit is named "nowhere".')).toBeVisible()
    await expect(dialog.getByLabel('Source')).toBeFocused()
    await dialog.getByLabel('Source').fill('main')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(rowOf(page, 'Branches', 'topic/one')).toContainText('Up to date')
    await expectAccessible(page)

    await rowOf(page, 'Branches', 'main').getByRole('button', { name: 'Rename main' }).press('Enter')
    const renaming = page.getByRole('dialog', { name: 'Rename the branch main' })
    await expect(renaming).toContainText('It remains the default branch.')
    await expectAccessible(page)
    await renaming.getByLabel('Name').fill('trunk')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, 'Branches', 'trunk')).toContainText('Default')
    await expect(rowOf(page, 'Branches', 'main')).toHaveCount(0)

    const notice = page.getByText('The branch main was renamed to trunk')
    for (const [from, to] of [
      [
        '/src/branch/main/docs/a%20b.txt?display=source',
        '/src/branch/trunk/docs/a%20b.txt?display=source&renamed=main',
      ],
      ['/commits/branch/main/docs', '/commits/branch/trunk/docs?renamed=main'],
      ['/compare/main...topic/one', '/compare/trunk...topic/one?renamed=main'],
    ]) {
      const response = await page.request.get(`${url}${at}${from}`, { maxRedirects: 0 })
      expect([response.status(), response.headers().location]).toEqual([307, `${at}${to}`])
      await page.goto(`${url}${at}${from}`)
      await expect(page).toHaveURL(`${url}${at}${to}`)
      await expect(notice).toBeVisible()
    }
    await expectAccessible(page)
    await page.goto(`${url}${at}/src/branch/trunk?renamed=never`)
    await expect(page.getByText('was renamed')).toHaveCount(0)
    await call(url, 'POST', `${api}/branches`, { new_branch_name: 'main', old_ref_name: 'trunk' }, owner)
    await page.goto(`${url}${at}/src/branch/main`)
    await expect(page).toHaveURL(`${url}${at}/src/branch/main`)
    await expect(notice).toHaveCount(0)
  })
}

test('a tag with a message is created, and shows whether checks passed without a reload', async ({
  page,
  site: { url },
}) => {
  const { owner, at, api } = await makeDepot(page, url)
  await page.goto(`${url}${at}/tags`)
  await page.getByRole('button', { name: 'New tag' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a tag' })
  await dialog.getByLabel('Name').fill('not..allowed')
  await dialog.getByRole('button', { name: 'Create tag' }).click()
  await expect(dialog.getByText('Use a tag name that Git allows, such as v1.0.')).toBeVisible()
  await dialog.getByLabel('Name').fill('v1.0')
  await dialog.getByLabel('Message').fill('The first version')
  await expectAccessible(page)
  await dialog.getByLabel('Message').press('Control+Enter')
  const row = rowOf(page, 'Tags', 'v1.0')
  await expect(row).toContainText('The first version')
  await page.keyboard.press('Escape')
  await isLive(page)
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await call(url, 'POST', `${api}/statuses/v1.0`, { state: 'success', context: 'build' }, owner)
  const mark = row.getByRole('link', { name: /^All checks passed/ })
  await expect(mark).toBeVisible()
  await call(url, 'POST', `${api}/statuses/v1.0`, { state: 'failure', context: 'build' }, owner)
  await expect(row.getByRole('link', { name: /^Some checks failed/ })).toBeVisible()
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  await expectAccessible(page)

  await call(url, 'POST', `${api}/releases`, { tag_name: 'v1.0', name: 'First' }, owner)
  for (const path of ['', '/commits/branch/main', '/releases', '/releases/tag/v1.0', '/branches']) {
    await page.goto(`${url}${at}${path}`)
    await expect(page.getByRole('link', { name: /^Some checks failed/ })).toBeVisible()
    await isLive(page)
    await call(url, 'POST', `${api}/statuses/v1.0`, { state: 'success', context: 'build' }, owner)
    await expect(page.getByRole('link', { name: /^All checks passed/ })).toBeVisible()
    await call(url, 'POST', `${api}/statuses/v1.0`, { state: 'failure', context: 'build' }, owner)
  }

  // A branch can also begin at a commit.
  await page
    .getByRole('link', { name: /^Commit / })
    .first()
    .click()
  await expect(page).toHaveURL(/\/commit\//)
  await page.getByRole('button', { name: 'New branch' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('from-commit')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}${at}/src/branch/from-commit`)
})

test('the runs of a workflow offer its badge', async ({ page, context, site: { url } }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { at } = await makeDepot(page, url)
  await page.goto(`${url}${at}/actions/workflows`)
  await page.getByRole('link', { name: 'CI', exact: true }).click()
  await page.getByRole('button', { name: 'Create status badge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create status badge' })
  await expect(dialog.getByRole('img')).toBeVisible()
  await expect
    .poll(() => dialog.getByRole('img').evaluate(image => (image as HTMLImageElement).naturalHeight))
    .toBe(20)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy Markdown' }).click()
  // The address at which the site is configured to be.
  const base = url.replace('127.0.0.1', 'localhost') + at
  const image = `${base}/actions/workflows/ci.yml/badge.svg`
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `[![ci.yml](${image})](${base}/actions?workflow=ci.yml)`,
  )
})
