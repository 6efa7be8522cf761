import type { Locator } from '@playwright/test'
import { adminHeaders } from '../process/api'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { hold } from './hold'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

test('menus are accessible while open and can be used by keyboard', async ({ page, site }) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/admin/users?q=${admin.name}`)
  const names = ['Create', 'Appearance', `Account menu for ${admin.name}`, `Actions for ${admin.name}`]
  for (const name of names) {
    const button = page.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    const menu = page.getByRole('menu', { name, exact: true })
    await expect(menu.locator('[role^=menuitem]').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('End')
    await expect(menu.locator('[role^=menuitem]').last()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
  }
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.keyboard.press('n')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/-\/new$|\/-\/orgs\/new$/)
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('a menu that is opened before scripts arrive can then be used by keyboard', async ({ page, site }) => {
  await signIn(page, site.url, admin.name, admin.password)
  const scripts = await hold(page, /\/_next\/static\/chunks\/.*\.js/)
  await page.goto(`${site.url}/explore`, { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Appearance' })
  await button.click()
  await scripts.release()
  const choices = page.getByRole('menu', { name: 'Appearance' }).locator('[role^=menuitem]')
  await expect(choices).toHaveCount(4)
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await button.press('ArrowDown')
  await expect(choices.first()).toBeFocused()
})

test('dialogs are accessible while open in light and dark themes', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'ada')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${org}/engine/settings`)
  for (const name of [/^Delete/, /^Make .*public/i]) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
})

test('people who must change their password are redirected there from private pages, and can read public ones', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'open', auto_init: true }, owner)
  const { org } = await makeTeam(site.url, owner)
  const newbie = `newbie-${owner}`
  const body = { username: newbie, email: `${newbie}@example.test`, password, must_change_password: true }
  const made = await fetch(`${site.url}/api/v1/admin/users`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify(body),
  })
  expect(made.status).toBe(201)
  await signIn(page, site.url, newbie, password)
  for (const path of ['', '/branches', '/activity']) {
    expect((await page.goto(`${site.url}/${owner}/open${path}`))?.status(), path).toBe(200)
    await expect(page).toHaveURL(`${site.url}/${owner}/open${path}`)
  }
  for (const path of [`/${newbie}`, `/${org}`, '/explore', '/api/docs']) {
    expect(await statusOf(page, site.url + path), path).toBe(200)
  }
  await page.goto(`${site.url}/${owner}/open`)
  await page.getByRole('link', { name: 'Your access' }).click()
  await expect(page).toHaveURL(/\/user\/settings\/password$/)
  expect((await page.goto(`${site.url}/${owner}/open?why=${newbie}`))?.status()).toBe(200)
  await expect(page.getByText('Choose a new password first')).toBeVisible()
})

test('a followed link shows that its page is loading until the page is shown', async ({ page, site }) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/user/settings/sessions`)
  const progress = page.getByRole('progressbar', { name: 'Loading page' })
  let letThrough = (): void => undefined
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  await page.route('**/user/settings/tokens?**', async route => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Access tokens' }).click()
  await expect(progress).toBeVisible()
  letThrough()
  await expect(page.getByRole('heading', { name: 'Access tokens', level: 1 })).toBeVisible()
  await expect(progress).toHaveCount(0)
  // A link to the current page has nothing to load.
  await page.getByRole('link', { name: 'Access tokens' }).click()
  await expect(progress).toHaveCount(0)
  // The former page is there at once.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible()
  await expect(progress).toHaveCount(0, { timeout: 5_000 })
})

test('a link that is followed without a network says so, and its page opens when the network is back', async ({
  page,
  context,
  site,
}) => {
  await page.goto(`${site.url}/explore`, { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Sign in' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'You are offline' })
  await expect(alert).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(alert).toHaveCount(0)
})

test('links to pages keep the document, and open in another tab if the viewer asks for it', async ({
  page,
  context,
  site,
}) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/explore?tab=people`)
  await expect(page.getByRole('searchbox')).toBeEditable()
  await page.evaluate(() => {
    document.documentElement.dataset.kept = ''
  })
  const tabs = page.getByRole('navigation', { name: 'Explore' })
  const elsewhere: Parameters<Locator['click']>[0][] = [
    { modifiers: ['ControlOrMeta'] },
    { button: 'middle' },
  ]
  for (const click of elsewhere) {
    const opened = context.waitForEvent('page')
    await tabs.getByRole('link', { name: 'Organizations' }).click(click)
    const other = await opened
    await expect(other).toHaveURL(/tab=organizations$/)
    await other.close()
  }
  await expect(page).toHaveURL(/tab=people$/)
  // The icon is part of the link.
  await tabs.getByRole('link', { name: 'Organizations' }).locator('svg').click()
  await expect(page).toHaveURL(/tab=organizations$/)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('menuitem', { name: 'New repository' }).press('Enter')
  await expect(page).toHaveURL(`${site.url}/-/new`)
  await expect(page.locator('html[data-kept]')).toHaveCount(1)
})

test('fields of searches and forms accept text only once the page is hydrated', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'notes' }, owner)
  await signIn(page, site.url, owner, password)
  for (const [path, label, text] of [
    ['/explore?kind=sources', 'Find a repository', 'quartz'],
    [`/${owner}/notes/activity`, 'Day (UTC)', '2001-02-03'],
    ['/user/settings/blocked', 'Person', 'nobody'],
    ['/user/settings/keys?add=1', 'Public key', 'ssh-ed25519 AAAA'],
    ['/user/settings/tokens?add=1', 'Name', 'backup'],
  ] as const) {
    let letThrough = (): void => undefined
    const held = new Promise<void>(resolve => {
      letThrough = resolve
    })
    await page.route(/\.js(\?|$)/, async route => {
      await held
      await route.continue()
    })
    await page.goto(site.url + path, { waitUntil: 'commit' })
    const field = page.getByRole('main').getByLabel(label, { exact: true })
    await expect(field).toBeEditable({ editable: false })
    letThrough()
    await field.fill(text)
    await expect(field).toHaveValue(text)
    if (!path.startsWith('/user/')) await expect(page).toHaveURL(new RegExp(`=${text}$`))
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test("dates are in words in the server's response and do not change during hydration", async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'notes', auto_init: true }, owner)
  const html = await (await page.request.get(`${site.url}/${owner}/notes`)).text()
  const served = /<time [^>]*>([^<]*)<\/time>/.exec(html)?.[1]
  expect(served).toMatch(/^(just now|\d+ minutes? ago)$/)
})

test('Arabic and Hebrew text runs from right to left, and interface text from left to right', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  const description = 'دليل المطورين, version 2'
  await call(site.url, 'POST', '/user/repos', { name: 'guide', description }, owner)
  await page.goto(`${site.url}/${owner}/guide`)
  const directionOf = (text: string): Promise<string> =>
    page
      .getByText(text)
      .first()
      .evaluate(element => getComputedStyle(element).direction)
  expect(await directionOf(description)).toBe('rtl')
  expect(await directionOf('Guildhall')).toBe('ltr')
})

test('a URL with different capitalization redirects to the correct one', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'Ada')
  await call(site.url, 'POST', '/user/repos', { name: 'Notes', auto_init: true }, owner)
  await call(site.url, 'POST', '/orgs', { username: 'Dock' }, owner)
  for (const [from, to] of [
    [`/${owner.toUpperCase()}?page=1`, `/${owner}?page=1`],
    [`/${owner.toLowerCase()}/notes/branches?page=1`, `/${owner}/Notes/branches?page=1`],
    [`/dock`, `/Dock`],
    [`/-/orgs/DOCK/people`, `/-/orgs/Dock/people`],
  ]) {
    await page.goto(site.url + from)
    expect(page.url().slice(site.url.length), from).toBe(to)
  }
})

test('search engines can index public pages, with an icon and a description', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'notes', auto_init: true }, owner)
  expect((await page.request.get(`${site.url}/favicon.ico`)).headers()['content-type']).toMatch(/icon/)
  expect(await (await page.request.get(`${site.url}/robots.txt`)).text()).toContain('Disallow: /user/')
  await page.goto(`${site.url}/${owner}/notes`)
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /notes/)
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0)
  await page.goto(`${site.url}/-/sign-in`)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
})

test('an API call can be found, read, and tried in its documentation', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'ada')
  const { sha1 } = await call<{ sha1: string }>(
    site.url,
    'POST',
    `/users/${owner}/tokens`,
    { name: 'trying', scopes: ['read:user'] },
    owner,
  )
  let described = 0
  page.on('response', async response => {
    if (/openapi|api\/docs\/calls/.test(response.url())) described += (await response.body()).length
  })
  await page.goto(`${site.url}/api/docs`)
  const start = page.getByRole('region', { name: 'Quick start' })
  await expect(start.getByRole('heading', { level: 3 })).toHaveText([
    '1. Create a token',
    '2. Send your first request',
    '3. Make your first change',
  ])
  const makeToken = start.getByRole('link', { name: 'Create an access token' })
  await expect(makeToken).toHaveAttribute('href', /add=1&name=api&repository=write&user=write/)
  await expect(start).toContainText(/http:\/\/\S+\/api\/v1\/user\/repos/)
  await page.getByLabel('Search endpoints').fill('get /user/keys')
  await expect(page.getByRole('status').filter({ hasText: /^\d+ endpoints$/ })).toBeVisible()
  const row = page.getByRole('button', { name: /GET \/user\/keys List your SSH keys/ })
  await row.press('Enter')
  await expect(page).toHaveURL(/#keys-listMine$/)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText(/^401/).first()).toBeVisible()
  await page.getByLabel('Access token').fill(sha1)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByRole('region', { name: 'Response body of keys-listMine' })).toHaveText('[]')
  await expect(page.getByText(`${site.url}/api/v1/user/keys`)).toBeVisible()
  expect(await page.getByRole('main').textContent()).not.toContain(sha1)
  // The page fetches only the list and this call, not the documentation of every call.
  expect(described).toBeGreaterThan(0)
  expect(described).toBeLessThan(100_000)
})

test('the API documentation is accessible with open calls and fits into 320 pixels', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/api/docs`)
  for (const name of [/GET \/version/, /POST \/user\/keys/, /PATCH \/teams\/\{id\}/, /GET \/repos\/search/]) {
    await page.getByRole('button', { name }).first().click()
  }
  await page.getByRole('button', { name: 'Send request' }).first().click()
  await expect(page.getByText(/^200/).first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 320, height: 700 })
  const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }))
  expect(scrollWidth).toBeLessThanOrEqual(320)
})

test("links, buttons, and selected elements have the site's accent color in every theme", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/-/sign-in`)
  const tokens = ['--fgColor-accent', '--borderColor-accent-emphasis', '--button-primary-bgColor-rest']
  const seen = new Set<string>()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const contrast of ['', '_high_contrast']) {
      for (const mode of ['auto', colorScheme]) {
        const [own, shown] = await page.evaluate(
          ({ contrast, mode, tokens }) => {
            const { dataset } = document.documentElement
            dataset.colorMode = mode
            dataset.lightTheme = `light${contrast}`
            dataset.darkTheme = `dark${contrast}`
            const style = getComputedStyle(document.documentElement)
            const shownAs = (token: string): string => style.getPropertyValue(token).trim()
            return [['--guild-text', '--guild-line', '--guild-fill'].map(shownAs), tokens.map(shownAs)]
          },
          { contrast, mode, tokens },
        )
        expect(shown, `${colorScheme}${contrast}, ${mode}`).toEqual(own)
        seen.add(String(own))
      }
    }
  }
  expect(seen.size, 'each theme has colors of its own').toBe(4)
})
