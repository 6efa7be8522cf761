import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search', exact: true })
const activeOption = (page: Page): Locator => page.getByRole('dialog').getByRole('option', { selected: true })
/** Waits until the page is hydrated, because shortcuts do nothing before that. */
const ready = async (page: Page): Promise<void> => {
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toHaveAttribute(
    'aria-keyshortcuts',
    /K/,
  )
}
/** A response after which the page does not retry automatically, unlike after a network failure. */
const failing = {
  status: 500,
  json: { error: { message: 'out of order', code: -32603, data: { kind: 'internal' } } },
}
/** Returns the contents of the browser's local storage. */
const storedPages = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage))

test('a page can be found by words in any order and opened by keyboard', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'finder')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/explore`)
  await ready(page)
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(`NGINE ${org}`)
  await expect(activeOption(page)).toContainText(`${org}/engine`)
  await expect(activeOption(page).locator('mark')).toHaveText([org, 'ngine'])
  await expect(activeOption(page)).toContainText('Private')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/${org}/engine`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('engine')
  await page.keyboard.press('Tab')
  await expect.poll(() => storedPages(page)).toContain('engine')

  await page.goto(`${site.url}/explore`)
  await ready(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([/engine/])
  await page.keyboard.type(org)
  await expect(page.getByRole('group', { name: 'Teams' }).getByRole('option').first()).toContainText(org)
  await page.keyboard.press('End')
  await expect(activeOption(page)).toContainText(`People matching “${org}”`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await expect(activeOption(page)).toContainText(`${org}/engine`)
  await field(page).fill(`${org} settings secret`)
  await expect(activeOption(page)).toContainText(`${org}: Secrets`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/-/orgs/${org}/settings/actions/secrets`)
})

test('the command palette runs commands of the site and of the current page', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'commander')
  const { org } = await makeTeam(site.url, owner)
  await call(site.url, 'POST', '/user/repos', { name: 'sign-posts' }, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${org}/engine/settings/keys`)
  await ready(page)
  const run = async (words: string, command: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await field(page).fill(words)
    await expect(activeOption(page)).toHaveText(command)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveCount(0)
  }
  await page.keyboard.press('Control+k')
  const own = page.getByRole('group', { name: 'On this page' }).getByRole('option')
  await expect(own.filter({ hasText: 'Add deploy key' })).toBeVisible()
  for (const name of ['New repository', 'New access token', 'Theme: dark', 'Sign out'])
    await expect(page.getByRole('group', { name: 'Commands' }).getByRole('option', { name })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // A matching page comes first, even if its name starts like a command.
  await page.keyboard.press('Control+k')
  await field(page).fill('sign')
  await expect(activeOption(page)).toContainText(`${owner}/sign-posts`)
  await expect(page.getByRole('group', { name: 'Commands' }).getByRole('option')).toHaveText(['Sign out'])
  await page.keyboard.press('Escape')

  await run('theme dark', 'Theme: dark')
  await expect(page.locator('html')).toHaveAttribute('data-color-mode', 'dark')
  await page.getByRole('button', { name: 'Appearance' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await page.keyboard.press('Escape')

  await run('add dep', 'Add deploy key')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await run('go rel', 'Go to Releases')
  await expect(page).toHaveURL(`${site.url}/${org}/engine/releases`)
  await run('new access', 'New access token')
  await expect(page).toHaveURL(`${site.url}/user/settings/tokens?add=1`)
  await run('rocket-9000', 'New repository “rocket-9000”')
  await expect(page.getByLabel('Repository name')).toHaveValue('rocket-9000')
  await run('sign out', 'Sign out')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('shortcuts do nothing in a field or while a dialog is open, and Escape returns the focus', async ({
  page,
  site,
}) => {
  const person = await makePerson(site.url, 'typist')
  await signIn(page, site.url, person, password)
  await page.goto(`${site.url}/explore?kind=sources`)
  await ready(page)
  const search = page.getByRole('searchbox', { name: 'Find a repository' })
  await search.focus()
  await page.keyboard.type('/?')
  await expect(search).toHaveValue('/?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(search).toBeFocused()

  const button = page.getByRole('button', { name: 'Search', exact: true })
  await button.focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Select the row')
  await expectAccessible(page)
  await page.keyboard.press('/')
  await expect(field(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})

test('a recent page that no longer exists is not offered again', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'mover')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${org}/engine`)
  await ready(page)
  await page.keyboard.press('Tab')
  await expect.poll(() => storedPages(page)).toContain('engine')
  await call(site.url, 'DELETE', `/repos/${org}/engine`, undefined, owner)
  await page.goto(`${site.url}/explore`)
  await ready(page)
  await page.keyboard.press('/')
  await activeOption(page).click()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect.poll(() => storedPages(page)).not.toContain('engine')
})

test('search shows neither hidden content nor the recent pages of other people', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'keeper')
  const { org } = await makeTeam(site.url, owner)
  const look = async (): Promise<void> => {
    await page.goto(`${site.url}/explore`)
    await ready(page)
    await page.keyboard.press('/')
    await field(page).fill(`${org}/`)
  }
  await signIn(page, site.url, owner, password)
  await look()
  await expect(activeOption(page)).toContainText('engine')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/${org}/engine`)
  await page.keyboard.press('Tab')
  await expect.poll(() => storedPages(page)).toContain('engine')

  await page.context().clearCookies()
  await look()
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(`No results for “${org}/”.`)
  await expect(page.getByRole('dialog')).not.toContainText('engine')
  await expect.poll(() => storedPages(page)).not.toContain('engine')

  await signIn(page, site.url, await makePerson(site.url, 'stranger'), password)
  await look()
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(`No results for “${org}/”.`)
  await expect(page.getByRole('dialog')).not.toContainText('engine')
})

test('results are accessible in light and dark themes and in a narrow window, and a failed search can be retried', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'looker')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(site.url)
  await ready(page)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await field(page).fill(org)
  await expect(activeOption(page)).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)

  await page.route('**/api/trpc/search.find*', route => route.fulfill(failing))
  await field(page).fill('engine')
  const failure = page.getByRole('alert').filter({ hasText: 'Try again' })
  await expect(failure).toBeVisible()
  await page.unroute('**/api/trpc/search.find*')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(activeOption(page)).toContainText('engine')
})

test('a result works like a link: it asks before typed text is lost, and shows that its page is loading', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'writer')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/user/settings/profile`)
  await ready(page)
  const location = page.getByLabel('Location (optional)')
  await location.fill('Paris')
  await page.keyboard.press('Control+k')
  await field(page).fill(`${org}/engine`)
  await expect(activeOption(page)).toHaveAttribute('href', `/${org}/engine`)
  page.once('dialog', question => question.dismiss())
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(location).toHaveValue('Paris')

  let letCome: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    letCome = resolve
  })
  await page.route(`**/${org}/engine?*`, async route => {
    await held
    await route.continue()
  })
  page.once('dialog', question => question.accept())
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveCount(0)
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeAttached()
  letCome()
  await expect(page).toHaveURL(`${site.url}/${org}/engine`)
})

test('Enter in the search field opens nothing if the search that it waits for fails', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, await makePerson(site.url, 'typist'), password)
  await page.goto(`${site.url}/explore`)
  await ready(page)
  let letFail: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    letFail = resolve
  })
  await page.route('**/api/trpc/search.find*', async route => {
    await held
    await route.fulfill(failing)
  })
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('keys')
  await page.keyboard.press('Enter')
  letFail()
  await expect(page.getByRole('alert').filter({ hasText: 'Try again' })).toBeVisible()
  await expect(activeOption(page)).toContainText('SSH keys')
  await expect(page).toHaveURL(`${site.url}/explore`)
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('')
})

test('text typed before the command palette has loaded is entered into it', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'quick')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${org}`)
  await ready(page)
  const button = page.getByRole('button', { name: 'Search', exact: true })
  let letCome: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    letCome = resolve
  })
  await page.route('**/*.js*', async route => {
    await held
    await route.continue()
  })
  await page.keyboard.press('/')
  await expect(button).toHaveAttribute('data-pending')
  await page.keyboard.type('xj engine')
  for (let count = 0; count < 9; count++) await page.keyboard.press('Backspace')
  await page.keyboard.type('kernel')
  letCome()
  await expect(field(page)).toHaveValue('kernel')
  await expect(field(page)).toBeFocused()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
})

test('single-key shortcuts can be turned off permanently, and do nothing in open menus', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, await makePerson(site.url, 'speaker'), password)
  await page.goto(`${site.url}/explore`)
  await ready(page)
  const menu = page.getByRole('menu', { name: 'Appearance' })
  await page.getByRole('button', { name: 'Appearance' }).press('Enter')
  await expect(menu.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(menu).toBeHidden()

  await page.getByRole('option', { name: 'Keyboard shortcuts' }).click()
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByLabel('Single-key shortcuts').uncheck()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  for (const isLoadedAnew of [false, true]) {
    if (isLoadedAnew) await page.reload()
    await ready(page)
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await expect(field(page)).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('Control+K keeps its function in fields on a Mac, and Shift+Home selects text', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, await makePerson(site.url, 'mac'), password)
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
  await page.goto(`${site.url}/explore?kind=sources`)
  await ready(page)
  await page.getByRole('searchbox', { name: 'Find a repository' }).focus()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Meta+k')
  await field(page).fill('keys')
  await expect(activeOption(page)).toBeVisible()
  await page.keyboard.press('Shift+Home')
  const marked = await field(page).evaluate((input: HTMLInputElement) => [
    input.selectionStart,
    input.selectionEnd,
  ])
  expect(marked).toEqual([0, 4])
})
