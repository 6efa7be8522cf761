import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

async function openLive(page: Page, address: string): Promise<void> {
  const following = page.waitForResponse(response => response.url().includes('/api/trpc/live.follow'))
  await page.goto(address)
  await following
}

test('a private repository can be offered, is shown to the recipient immediately, and can be withdrawn and accepted', async ({
  browser,
  page,
  site,
}) => {
  const [owner, recipient] = [await makePerson(site.url, 'gail'), await makePerson(site.url, 'hank')]
  await call(site.url, 'POST', '/user/repos', { name: 'engine', private: true, auto_init: true }, owner)
  const name = `${owner}/engine`
  await call(site.url, 'PUT', `/repos/${name}/actions/secrets/TOKEN`, { data: 'x' }, owner)
  await signIn(page, site.url, owner, password)
  const other = await (await browser.newContext()).newPage()
  await signIn(other, site.url, recipient, password)
  await openLive(other, site.url)

  const cancel = page.getByRole('button', { name: `Cancel transfer of ${name}` })
  const ask = async () => {
    await page.goto(`${site.url}/${name}/settings`)
    await page.getByLabel('New owner').fill(recipient)
    const button = page.getByRole('button', { name: 'Transfer this repository…' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText(
      'This removes items that the current owner set up for the repository: 1 secret.',
    )
    return dialog
  }
  const offer = async () => {
    const dialog = await ask()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(cancel.last()).toBeFocused()
    await expect(page.getByRole('region', { name: 'Pending transfer' })).toContainText(
      `Waiting for ${recipient}`,
    )
  }
  const row = other
    .getByRole('region', { name: 'Transfers' })
    .getByRole('listitem')
    .filter({ hasText: `wants to transfer ${name}` })

  await page.goto(`${site.url}/${name}/settings`)
  await page.getByLabel('New owner').fill('nobody-of-this-name')
  await page.getByRole('button', { name: 'Transfer this repository…' }).click()
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText('nobody-of-this-name')
  await expect(page.getByRole('button', { name: 'Transfer repository', exact: true })).toBeHidden()
  await page.keyboard.press('Escape')

  const dialog = await ask()
  await expectAccessible(page)
  const late = `/repos/${name}/actions/secrets/LATE`
  await call(site.url, 'PUT', late, { data: 'y' }, owner)
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('has changed since it was shown. Review it again.')
  await expect(dialog).toContainText(
    'This removes items that the current owner set up for the repository: 2 secrets.',
  )
  await call(site.url, 'DELETE', late, undefined, owner)

  await offer()
  await expect(row).toBeVisible({ timeout: 2_000 })
  await expectAccessible(other)
  await expectAccessible(page)
  expect((await other.request.get(`${site.url}/${name}`)).status()).toBe(404)

  await cancel.first().click()
  await page.getByRole('button', { name: 'Cancel transfer', exact: true }).click()
  await expect(row).toBeHidden()
  await expect(page.getByRole('region', { name: 'Pending transfer' })).toBeHidden()

  await offer()
  await row.getByRole('button', { name: `Accept ${name}` }).focus()
  await other.keyboard.press('Enter')
  await expect(other.getByRole('alertdialog')).toContainText(
    'Its workflows will be turned off until an owner turns them on',
  )
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Accept repository' }).press('Enter')
  await expect(row).toBeHidden()
  await other.goto(`${site.url}/${recipient}/engine`)
  await expect(other.getByRole('heading', { level: 1 })).toContainText('engine')
  await expect(page.getByRole('heading', { name: 'Transfer' })).toBeHidden()

  await other.goto(`${site.url}/${recipient}/engine/actions/workflows`)
  const off = other.getByRole('region', { name: 'Workflows are turned off' })
  await expect(off).toContainText('since this repository was transferred')
  await expectAccessible(other)
  await off.getByRole('button', { name: 'Turn on workflows' }).press('Enter')
  await expect(off).toBeHidden()

  await other.goto(`${site.url}/${name}/branches`)
  await expect(other).toHaveURL(`${site.url}/${recipient}/engine/branches`)
  await other.goto(`${site.url}/${recipient}/engine/activity`)
  await expect(other.getByRole('main')).toContainText(`transferred ${name} to`)
  await other.context().close()
})

test('an organization’s owner sees an offered repository on the repository’s page and declines it', async ({
  browser,
  page,
  site,
}) => {
  const [owner, ada] = [await makePerson(site.url, 'ivan'), await makePerson(site.url, 'jane')]
  const { org } = await makeTeam(site.url, ada)
  await call(site.url, 'POST', '/user/repos', { name: 'open', auto_init: true }, owner)
  await signIn(page, site.url, ada, password)
  await openLive(page, `${site.url}/${owner}/open`)
  await call(site.url, 'POST', `/repos/${owner}/open/transfer`, { new_owner: org }, owner)
  const notice = page.getByRole('region', { name: 'Pending transfer' })
  await expect(notice).toContainText(`${owner} wants to transfer this repository to ${org}`, {
    timeout: 2_000,
  })
  await expectAccessible(page)
  await page.getByRole('button', { name: `Decline ${owner}/open` }).click()
  await page.getByRole('button', { name: 'Decline repository' }).click()
  await expect(notice).toBeHidden()
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${site.url}/${owner}/open`)
  await expect(visitor.getByRole('heading', { level: 1 })).toContainText('open')
  await visitor.context().close()
})
