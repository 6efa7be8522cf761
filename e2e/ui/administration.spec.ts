import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

const rowsOf = (page: Page, list: string): Locator =>
  page.getByRole('region', { name: list }).getByRole('listitem')

test('an administrator sees the health of the site, and finds an organization and a repository', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'hal')
  const { org } = await makeTeam(url, owner)
  await makeTeam(url, owner)
  await signIn(page.context(), url, admin.name, admin.password)
  await page.goto(`${url}/-/admin/health`)
  await expect(page.getByRole('heading', { name: 'Health' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Process and storage' })).toContainText('free')
  await expect(page.getByText('All systems operational.')).toBeVisible()
  await expect(rowsOf(page, 'Background jobs').first()).toContainText('Ran just now')
  await page.route(/trpc\/health\.get/, route => route.abort())
  // The page polls regardless of what happens on the site.
  await makePerson(url, 'ivy')
  await expect(page.getByText('The server isn’t responding.')).toBeVisible()
  await expect(page.getByText('All systems operational.')).toBeHidden()
  await page.unroute(/trpc\/health\.get/)

  const pages = page.getByRole('navigation', { name: 'Site administration' })
  await expect(pages.getByRole('link', { name: 'Webhooks' })).toHaveCount(1)
  await expect(page.getByRole('navigation', { name: 'Settings' })).toHaveCount(0)
  await pages.getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('searchbox', { name: 'Find an organization' }).fill(org)
  await expect(rowsOf(page, 'Organizations')).toHaveCount(1)
  await expect(rowsOf(page, 'Organizations')).toContainText(
    new RegExp(`${org}.*Public.*1 member.*2 teams.*1 repository`),
  )
  await expect(page).toHaveURL(new RegExp(`q=${org}$`))
  await page.getByLabel('Visibility').selectOption({ label: 'Private' })
  await expect(page.getByText('No matching organizations')).toBeVisible()
  await expectAccessible(page)

  await pages.getByRole('link', { name: 'Repositories' }).click()
  await page.getByRole('searchbox', { name: 'Find a repository' }).fill(`${org}/engine`)
  const repository = rowsOf(page, 'Repositories')
  await expect(repository).toHaveCount(1)
  await expect(repository).toContainText(/Private.*Owned by/)
  await expect(repository.getByRole('link', { name: org, exact: true })).toHaveAttribute('href', `/${org}`)
})

test('an administrator filters events by keyboard, sees new ones arrive, and exports the matching ones', async ({
  page,
  site: { url },
}) => {
  const name = await makePerson(url, 'eve')
  const addKey = (title: string) => call(url, 'POST', '/user/keys', { key: freshKey().key, title }, name)
  await addKey('laptop')
  await signIn(page.context(), url, admin.name, admin.password)
  await page.goto(`${url}/-/admin/events`)
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  const who = page.getByRole('searchbox', { name: 'User', exact: true })
  await expect(who).toBeEditable()
  await who.focus()
  await page.keyboard.type(name)
  await expect(page).toHaveURL(new RegExp(`actor=${name}$`))
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByLabel('Event type')).toBeFocused()
  await page.keyboard.type('Keys')
  await expect(page).toHaveURL(/kind=credentials/)
  await expect(rows.first()).toContainText(`${name} added the SSH key “laptop”`)
  await expect(rows.first()).toContainText('from 127.0.0.1')

  await addKey('=SUM(desk)')
  await expect(rows.first()).toContainText('=SUM(desk)')
  await expect(rows).toHaveCount(2)
  const facts = rows.first().getByRole('button', { name: /^Details:/ })
  await facts.focus()
  await page.keyboard.press('Enter')
  await expect(rows.first()).toContainText('"fingerprint": "SHA256:')
  await expectAccessible(page)

  const exported = async (label: string): Promise<string> => {
    const link = page.getByRole('link', { name: label })
    await link.focus()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    return await readFile(await download.path(), 'utf8')
  }
  const lines = (await exported('Export as JSON Lines')).trim().split('\n')
  expect(lines.map(line => JSON.parse(line).facts.title)).toEqual(['=SUM(desk)', 'laptop'])
  const table = await exported('Export as CSV')
  expect(table.trim().split('\r\n')).toHaveLength(3)
  await page.goto(`${url}/-/admin/events?kind=events.exported`)
  await expect(rows.first()).toContainText(`${admin.name} exported events as CSV`)
})

test('a selected event filter is shown immediately and is kept while its page loads', async ({
  page,
  site: { url },
}) => {
  await signIn(page.context(), url, admin.name, admin.password)
  await page.goto(`${url}/-/admin/events`)
  const who = page.getByRole('searchbox', { name: 'User', exact: true })
  await expect(who).toBeEditable()
  let release = (): void => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/_rsc=/, async route => {
    await held
    await route.continue()
  })
  await page.getByLabel('Event type').selectOption({ label: 'Keys and tokens' })
  await expect(page.getByLabel('Event type')).toHaveValue('credentials')
  await who.pressSequentially('ad')
  await page.waitForTimeout(500)
  await who.pressSequentially('a')
  release()
  await expect(page).toHaveURL(/kind=credentials&actor=ada$/)
  await expect(who).toHaveValue('ada')
  await expect(page.getByLabel('Event type')).toHaveValue('credentials')
})

test('only administrators can see the administration pages and export events', async ({
  page,
  site: { url },
}) => {
  const name = await makePerson(url, 'mallory')
  await signIn(page.context(), url, name, password)
  for (const path of ['health', 'events', 'orgs', 'repos', 'events.csv', 'events.jsonl'])
    expect(await statusOf(page, `${url}/-/admin/${path}`), path).toBe(404)
})

test('the navigation of account settings lists no administration pages', async ({ page, site: { url } }) => {
  await signIn(page, url, admin.name, admin.password)
  await page.goto(`${url}/user/settings/profile`)
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await expect(settings.getByRole('link', { name: 'Webhooks' })).toHaveCount(1)
  await expect(settings.locator('a[href^="/-/admin"]')).toHaveCount(0)
})

test('an administrator can rename an account and delete it with everything it owns', async ({
  page,
  site: { url },
}) => {
  const person = await makePerson(url, 'kim')
  await call(url, 'POST', '/user/repos', { name: 'engine' }, person)
  await signIn(page.context(), url, admin.name, admin.password)
  await page.goto(`${url}/-/admin/users/${person}`)
  const rename = page.getByRole('region', { name: 'Rename account' })
  await rename.getByLabel('New username').fill(admin.name)
  await rename.getByRole('button', { name: 'Rename account' }).click()
  await expect(rename.getByLabel('New username')).toHaveAccessibleDescription(/taken|use/)
  await expect(rename.getByLabel('New username')).toBeFocused()
  await rename.getByLabel('New username').fill(`${person}-2`)
  // The page under the new name would not contain the text typed on this page.
  const fullName = page.getByLabel('Full name')
  const saved = await fullName.inputValue()
  await fullName.fill('Somebody else')
  await rename.getByRole('button', { name: 'Rename account' }).click()
  await expect(rename.getByRole('alert')).toContainText('Save the other changes on this page first')
  await fullName.fill(saved)
  await rename.getByRole('button', { name: 'Rename account' }).click()
  await expect(page).toHaveURL(`${url}/-/admin/users/${person}-2`)
  await page.getByRole('button', { name: 'Delete account and all data' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('link', { name: `${person}-2/engine` })).toBeVisible()
  await dialog.getByLabel('to confirm').fill(`${person}-2`)
  await dialog.getByRole('button', { name: 'Delete user and data' }).click()
  await expect(page).toHaveURL(`${url}/-/admin/users`)
  expect(await statusOf(page, `${url}/${person}-2/engine`)).toBe(404)
})
