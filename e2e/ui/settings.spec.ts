import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { expect, signIn, statusOf, test } from './site'

test.beforeEach(async ({ page, site }) => {
  await signIn(page, site.url, admin.name, admin.password)
})

test('a token is shown once, works immediately, and stops working when it is revoked', async ({
  page,
  site,
  request,
}) => {
  await page.goto(`${site.url}/user/settings/tokens`)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name', { exact: true }).fill('release script')
  await page.getByLabel('Full access').check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByText(/^[0-9a-f]{40}$/)
  await expect(shown.first()).toBeVisible()
  await expectAccessible(page)
  const token = (await shown.first().textContent())?.trim() ?? ''
  const ask = () => request.get(`${site.url}/api/v1/user`, { headers: { authorization: `token ${token}` } })
  expect((await ask()).status()).toBe(200)

  await page.goto(`${site.url}/user/settings/tokens`)
  await expect(page.getByText('release script')).toBeVisible()
  await expect(page.getByText(token)).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke release script' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /revoke/i })
    .click()
  await expect(page.getByRole('main').getByText('release script')).toHaveCount(0)
  expect((await ask()).status()).toBe(401)
})

test('an administrator creates a user, who must first choose a password', async ({ page, site, browser }) => {
  await page.goto(`${site.url}/-/admin/users?add=1`)
  await expectAccessible(page)
  await page.getByLabel('Username').fill('margaret')
  await page.getByLabel('Email address').fill('margaret@example.test')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('first password')
  await page.getByRole('button', { name: /create user/i }).click()
  await page.getByRole('link', { name: 'View user', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'margaret' })).toBeVisible()

  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(`${site.url}/-/sign-in`)
  await other.getByLabel('Username or email address').fill('margaret@example.test')
  await other.getByLabel('Password', { exact: true }).fill('first password')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.waitForURL(/\/user\/settings\/password/)
  await other.goto(`${site.url}/user/settings/keys`)
  await expect(other).toHaveURL(/\/user\/settings\/password/)
  await expectAccessible(other)
  await other.getByLabel('Current password', { exact: true }).fill('first password')
  await other.getByLabel('New password', { exact: true }).fill('second password')
  const changed = other.waitForResponse(/users\.changePassword/)
  await other.getByRole('button', { name: 'Change password' }).click()
  expect((await changed).status()).toBe(200)
  await other.goto(`${site.url}/user/settings/keys`)
  await expect(other).toHaveURL(/\/user\/settings\/keys/)
  expect(await statusOf(other, `${site.url}/-/admin/users`)).toBe(404)
  await context.close()
})

test('a selected theme applies to the next page from its first byte', async ({ page, site }) => {
  await page.goto(`${site.url}/user/settings/keys`)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-color-mode', 'dark')
  const html = await (await page.request.get(`${site.url}/user/settings/keys`)).text()
  expect(html).toContain('data-color-mode="dark"')
})
