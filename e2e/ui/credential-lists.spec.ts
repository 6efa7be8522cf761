import type { Locator, Page } from '@playwright/test'
import { freshKey } from '../process/api'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

const numbers = Array.from({ length: 60 }, (_, index) => index + 1)

/** Creates 60 items, of which those with higher numbers are newer. */
async function makeSixty(make: (name: string) => Promise<unknown>, name: string): Promise<void> {
  for (const number of numbers) await make(`${name} ${String(number).padStart(2, '0')}`)
}

const rowsOf = (page: Page, list: string): Locator =>
  page.getByRole('region', { name: list, exact: true }).locator('> ul > li')

test('SSH keys can be searched, sorted, and deleted several at a time, and a new key is shown despite any search', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await makeSixty(title => call(site.url, 'POST', '/user/keys', { ...freshKey(), title }, ada), 'laptop')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/keys`)
  const rows = rowsOf(page, 'SSH keys')
  await expect(rows).toHaveCount(30)
  await expect(rows.first()).toContainText('laptop 60')
  await page.getByLabel('Sort by').selectOption({ label: 'Title' })
  await expect(rows.first()).toContainText('laptop 01')
  await expect(page).toHaveURL(/\?sort=name$/)

  await page.getByRole('searchbox', { name: 'Find a key' }).fill('TOP 3')
  await expect(rows).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'Matching SSH keys' })).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(10)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await rows.nth(4).getByRole('checkbox').uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete 9 SSH keys' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(
    'laptop 30, laptop 31, laptop 32, laptop 33, laptop 35, laptop 36, laptop 37, laptop 38, laptop 39',
  )
  await expect(dialog).toContainText('Open connections that use them are closed')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete 9 SSH keys' }).click()
  await expect(page.getByText('Deleted 9 SSH keys')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('laptop 34')

  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await page.getByLabel('Public key', { exact: true }).fill(`${freshKey().key} ada@desk`)
  await page.getByRole('button', { name: 'Add SSH key', exact: true }).click()
  await expect(rows.first()).toContainText('ada@desk')
  await expect(rows.first()).toBeFocused()
  await expect(page.getByRole('searchbox', { name: 'Find a key' })).toHaveValue('')
})

test('access tokens can be searched, selected, and revoked by keyboard', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  const path = `/users/${ada}/tokens`
  await makeSixty(name => call(site.url, 'POST', path, { name, scopes: ['read:user'] }, ada), 'script')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/tokens?limit=50`)
  const rows = rowsOf(page, 'Access tokens')
  await expect(rows).toHaveCount(50)
  await expect(page.getByRole('searchbox', { name: 'Find a token' })).toBeEditable()
  for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Revoke 2 tokens' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('script 60, script 58')
  await expect(dialog).toContainText('immediately loses access')
  await tabTo(page, dialog.getByRole('button', { name: 'Revoke 2 tokens' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Revoked 2 tokens')).toBeVisible()
  await expect(rows.first()).toContainText('script 59')
  await expect(rows.nth(1)).toContainText('script 57')
  await expect(page.locator(':focus')).toHaveCount(1)
})

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not come there')
}

test('deploy keys can be searched and deleted several at a time, and another browser sees the change immediately', async ({
  page,
  site,
  browser,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine' }, ada)
  const keys = `/repos/${ada}/engine/keys`
  await makeSixty(title => call(site.url, 'POST', keys, { ...freshKey(), title }, ada), 'runner')
  const address = `${site.url}/${ada}/engine/settings/keys`
  const context = await browser.newContext()
  const other = await context.newPage()
  for (const one of [page, other]) {
    await signIn(one, site.url, ada, password)
    await one.goto(`${address}?q=runner+1&sort=name`)
    await expect(rowsOf(one, 'Deploy keys')).toHaveCount(10)
  }
  await page.getByRole('checkbox', { name: 'Select runner 10' }).click()
  await page.getByRole('checkbox', { name: 'Select runner 14' }).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Delete 5 deploy keys' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`will no longer be able to access ${ada}/engine`)
  await dialog.getByRole('button', { name: 'Delete 5 deploy keys' }).click()
  await expect(page.getByText('Deleted 5 deploy keys')).toBeVisible()
  for (const one of [page, other]) {
    await expect(rowsOf(one, 'Deploy keys')).toHaveCount(5)
    await expect(rowsOf(one, 'Deploy keys').first()).toContainText('runner 15')
  }
  await context.close()
})

test('browser sessions can be searched and signed out several at a time, except for the current one', async ({
  page,
  site,
  browser,
}) => {
  const ada = await makePerson(site.url, 'ada')
  const linux = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  for (const userAgent of [linux, linux, 'curl/8.5']) {
    const context = await browser.newContext({ userAgent })
    await signIn(context, site.url, ada, password)
    await context.close()
  }
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/sessions`)
  const rows = rowsOf(page, 'Browsers')
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: 'This browser' }).getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Find a browser' }).fill('firefox on linux')
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign out 2 browsers' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('They immediately lose access')
  await dialog.getByRole('button', { name: 'Sign out 2 browsers' }).click()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1)
})
