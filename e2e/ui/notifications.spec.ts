import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { call, makePerson, makeTeam, password } from './people'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })
const list = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })
const width = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

async function open(context: BrowserContext, url: string, person: string, path = '/'): Promise<Page> {
  await signIn(context, url, person, password)
  const page = await context.newPage()
  await page.goto(url + path)
  await isLive(page)
  return page
}

const workflow = 'on: push\njobs:\n  build: {runs-on: x, steps: [{run: make}]}'

test('a notification arrives in every open browser of the person, and reading it in one reads it in all', async ({
  browser,
  site: { url },
}) => {
  const [owner, guest] = [await makePerson(url, 'olga'), await makePerson(url, 'gwen')]
  const { org, team } = await makeTeam(url, owner)
  const [one, other] = [await browser.newContext(), await browser.newContext()]
  const [first, second] = [await open(one, url, guest), await open(other, url, guest, '/explore')]
  await expect(bell(first)).toHaveAccessibleName('Notifications')

  await call(url, 'PUT', `/teams/${team}/members/${guest}`, undefined, owner)
  await call(url, 'PUT', `/repos/${org}/engine/collaborators/${guest}`, { permission: 'write' }, owner)
  for (const page of [first, second])
    await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread', { timeout: 5_000 })
  const needs = first.getByRole('region', { name: 'Needs you' })
  await expect(needs.getByRole('link')).toHaveText([
    'All notifications',
    `You were given write access to ${org}/engine`,
    `You were added to the team ${org}/core`,
  ])
  await expectAccessible(first)

  await bell(second).click()
  await expect(list(second).getByRole('listitem')).toHaveCount(2)
  await expect(list(second).getByText('Unread:')).toHaveCount(2)
  await expectAccessible(second)
  for (const page of [first, second]) await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(needs).toBeHidden()
  await list(second).getByRole('link', { name: /team/ }).click()
  await expect(second).toHaveURL(`${url}/-/orgs/${org}/teams/core`)
  await expect(list(second)).toBeHidden()
  await Promise.all([one.close(), other.close()])
})

test('the bell works with the keyboard alone, and leads from a failed run to its failed job', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'kay')
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  const path = `/${owner}/engine`
  const run = await createRun(url, owner, path, { workflow, title: 'Build it' })
  await (await startJob(url, owner, path, run, 'build')).end('failure')
  await signIn(page, url, owner, password)
  await page.goto(`${url}/explore`)
  await isLive(page)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: 5_000 })
  await bell(page).focus()
  await page.keyboard.press('Enter')
  const line = list(page).getByRole('link', { name: /failed in/ })
  await expect(line).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link', { name: 'See all' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(line).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}${path}/actions/runs/${run.id}/jobs/${run.jobs.build}`)
})

test('the page of notifications marks what it shows as read, and says when there is nothing', async ({
  page,
  site: { url },
}) => {
  const [owner, guest] = [await makePerson(url, 'olga'), await makePerson(url, 'gwen')]
  await call(url, 'POST', '/user/repos', { name: 'secret', private: true }, owner)
  await signIn(page, url, guest, password)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/-/notifications`)
  await expect(page.getByRole('heading', { name: 'You’re all caught up' })).toBeVisible()
  await expectAccessible(page)
  await isLive(page)
  await bell(page).click()
  await expect(list(page)).toContainText('You’re all caught up.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await call(url, 'POST', `/repos/${owner}/secret/transfer`, { new_owner: guest }, owner)
  const offer = page.getByRole('main').getByRole('link', { name: `${owner} wants to transfer` })
  await expect(offer).toBeVisible({ timeout: 5_000 })
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(page.getByRole('main').getByText('Unread:')).toHaveCount(1)
  await expectAccessible(page)
  expect(await width(page)).toBe(390)
  await offer.click()
  await expect(page).toHaveURL(`${url}/#transfers`)
  await page.getByRole('button', { name: `Decline ${owner}/secret` }).click()
  await page.getByRole('button', { name: 'Decline repository' }).click()
  await page.goto(`${url}/-/notifications`)
  await expect(page.getByRole('heading', { name: 'You’re all caught up' })).toBeVisible()
})

test('the home page shows the first steps until they are done or hidden, and the pages visited last', async ({
  page,
  site: { url },
}) => {
  const person = await makePerson(url, 'newt')
  await signIn(page, url, person, password)
  await page.goto(url)
  const steps = page.getByRole('region', { name: 'Get started' })
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
    'Add an SSH key',
    'Create a repository',
    'Push',
  ])
  await call(url, 'POST', '/user/repos', { name: 'engine' }, person)
  await page.reload()
  await expect(steps.getByRole('heading', { level: 3 }).nth(1)).toHaveAccessibleName(
    'Done: Create a repository',
  )
  await expectAccessible(page)
  await steps.getByRole('link', { name: 'Show commands' }).click()
  await expect(page).toHaveURL(`${url}/${person}/engine`)
  await page.getByRole('heading', { level: 1 }).click()
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('engine')
  await page.goto(url)
  const recent = page.getByRole('navigation', { name: 'Recent' })
  await expect(recent.getByRole('link')).toHaveText([`${person}/engine`])
  await steps.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect(steps).toBeHidden()
  await page.reload()
  await expect(recent.getByRole('link')).toBeVisible()
  await expect(steps).toBeHidden()
})
