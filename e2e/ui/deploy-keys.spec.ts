import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { expect, signIn, statusOf, test } from './site'

test('a repository administrator adds a deploy key, sees new ones arrive, and deletes it', async ({
  page,
  site,
  browser,
}) => {
  const grace = await makePerson(site.url, 'grace')
  await call(site.url, 'POST', '/user/repos', { name: 'depot' })
  const repository = `/repos/${admin.name}/depot`
  const address = `${site.url}/${admin.name}/depot/settings/keys`
  await signIn(page, site.url, admin.name, admin.password)

  await page.goto(`${site.url}/${admin.name}/depot/settings`)
  await page.getByRole('link', { name: 'Deploy keys' }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('heading', { name: 'No deploy keys yet' })).toBeVisible()
  await expect(page.getByText('ssh-keygen -t ed25519').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Clone with a deploy key' })).toContainText(
    'git clone -c core.sshCommand=',
  )
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add deploy key' }).click()
  const text = page.getByLabel('Public key', { exact: true })
  await text.fill('-----BEGIN OPENSSH PRIVATE KEY-----')
  await expect(page.getByText('This is a private key')).toBeVisible()
  await expect(text).toHaveValue('')
  await text.fill(`${freshKey().key} ci@example`)
  const title = page.getByLabel('Title')
  const position = await title.boundingBox()
  await expect(page.getByText('Ed25519, 256 bits')).toBeVisible()
  expect(await title.boundingBox()).toEqual(position)
  await expect(title).toHaveValue('')
  await title.fill('build server')
  await page.getByLabel('Allow write access').check()
  await page.getByLabel('Expiration', { exact: true }).selectOption('7')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add deploy key', exact: true }).click()
  const rows = page.getByRole('main').getByRole('listitem')
  const mine = rows.filter({ hasText: 'build server' })
  for (const fact of ['Read and write', 'Expires soon', 'Never used', 'SHA256:']) {
    await expect(mine).toContainText(fact)
  }

  const other = { title: 'mirror', key: freshKey().key }
  await call(site.url, 'POST', `${repository}/keys`, other)
  await expect(rows.filter({ hasText: 'mirror' })).toContainText('Read only')
  await page.setViewportSize({ width: 390, height: 844 })
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBe(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add deploy key' }).click()
  await text.fill(other.key)
  await page.getByLabel('Title').fill('again')
  await page.getByRole('button', { name: 'Add deploy key', exact: true }).click()
  await expect(page.getByText('This key has already been added as “mirror”.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Delete build server' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`fetch from or push to ${admin.name}/depot`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete deploy key' }).click()
  await expect(mine).toHaveCount(0)
  await expect(rows.filter({ hasText: 'mirror' })).toBeVisible()

  const context = await browser.newContext()
  const theirs = await context.newPage()
  await signIn(theirs, site.url, grace, password)
  expect(await statusOf(theirs, address)).toBe(404)
  await context.close()
})
