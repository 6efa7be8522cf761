import type { Locator, Page } from '@playwright/test'
import { freshKey } from '../process/api'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

const newKey = (comment: string): string => `${freshKey().key} ${comment}`

/**
 * Presses Enter on a focused button. Afterward, the focus continues from there, as for people who use the
 * keyboard.
 */
async function press(button: Locator): Promise<void> {
  await button.focus()
  await button.press('Enter')
}

/** Returns the confirmation dialog once it is visible and contains the focus. */
async function question(page: Page): Promise<Locator> {
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  return dialog
}

const confirm = async (page: Page, words: string): Promise<void> =>
  press((await question(page)).getByRole('button', { name: words, exact: true }))

/** Signs in a new person with two SSH keys, named one and two, and opens their SSH keys page. */
async function openTwoKeys(page: Page, site: string): Promise<void> {
  const ada = await makePerson(site, 'ada')
  for (const title of ['one', 'two']) {
    await call(site, 'POST', '/user/keys', { title, key: newKey(title) }, ada)
  }
  await signIn(page, site, ada, password)
  await page.goto(`${site}/user/settings/keys`)
}

test('adding a key moves the focus to its row, and deleting a key moves it to the next row', async ({
  page,
  site,
}) => {
  await openTwoKeys(page, site.url)
  const addButton = page.getByRole('button', { name: 'Add SSH key' })
  await press(addButton)
  await press(page.getByRole('button', { name: 'Cancel' }))
  await expect(addButton).toBeFocused()

  await press(addButton)
  const keyField = page.getByLabel('Public key', { exact: true })
  const title = page.getByLabel('Title', { exact: true })
  await keyField.fill(newKey('first@laptop'))
  await expect(title).toHaveValue('first@laptop')
  await keyField.fill(newKey('second@laptop'))
  await expect(title).toHaveValue('second@laptop')
  await keyField.press('Control+Enter')
  const row = (name: string): Locator =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(row('second@laptop').first()).toBeFocused()
  await expect(page).toHaveURL(`${site.url}/user/settings/keys`)
  const filter = page.getByRole('searchbox', { name: 'Find a key' })
  await filter.fill('one')
  await expect(row('second@laptop')).toHaveCount(0)
  await filter.fill('')
  await expect(row('second@laptop').first()).toBeVisible()
  await expect(filter).toBeFocused()

  await press(page.getByRole('button', { name: 'Delete one' }))
  await question(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete one' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Delete one' }))
  await confirm(page, 'Delete SSH key')
  await expect(row('two').first().locator(':focus')).toHaveCount(1)
})

test('the focus moves to the next row even if the page learns of a removal before the response arrives', async ({
  page,
  site,
}) => {
  await openTwoKeys(page, site.url)
  const one = page.getByRole('button', { name: 'Delete one' })
  await page.route('**/keys.remove**', async route => {
    const answer = await route.fetch()
    await expect(one).toHaveCount(0)
    await route.fulfill({ response: answer })
  })
  await press(one)
  await confirm(page, 'Delete SSH key')
  await expect(page.getByText('Deleted the SSH key “one”')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'two' }).locator(':focus')).toHaveCount(1)
})

test('after following a link, the focus is at the start of the new page’s content and not in a field', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'olga')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams`)
  await press(page.getByRole('link', { name: 'core', exact: true }))
  await expect(page.getByLabel('Add a member')).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()

  const settings = page.getByRole('link', { name: 'Settings', exact: true })
  await press(settings.last())
  await expect(page).toHaveURL(`${site.url}/-/orgs/${org}/teams/core/settings`)
  await expect(page.getByLabel('Description (optional)')).toBeVisible()
  await expect(settings.last()).toBeFocused()
})

test('hiding a focused element moves the focus like removing it, even to a text area', async ({
  page,
  site,
}) => {
  const person = await makePerson(site.url, 'olga')
  await signIn(page, site.url, person, password)
  await page.goto(`${site.url}/user/settings/profile`)
  const location = page.getByLabel('Location (optional)')
  await location.fill('Paris')
  await location.press('End')
  await location.evaluate((field: HTMLInputElement) => {
    const part = document.createElement('div')
    part.append(document.createElement('textarea'))
    field.replaceWith(part)
    part.append(field)
    field.focus()
    setTimeout(() => {
      field.hidden = true
    }, 200)
  })
  await expect(page.locator('textarea:focus')).toHaveCount(1)
})

test('a key that is already in the list is reported before the form is submitted', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  const key = newKey('laptop')
  await call(site.url, 'POST', '/user/keys', { title: 'work laptop', key }, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/keys?add=1`)
  await page.getByLabel('Public key', { exact: true }).fill(key)
  await expect(page.getByText('This key has already been added as “work laptop”.')).toBeVisible()
})

test('revoking a token or signing out a session moves the focus to the next one', async ({
  page,
  site,
  browser,
}) => {
  const ada = await makePerson(site.url, 'ada')
  for (const name of ['one', 'two']) {
    await call(site.url, 'POST', `/users/${ada}/tokens`, { name, scopes: ['all'] }, ada)
  }
  for (let count = 0; count < 3; count++) {
    const context = await browser.newContext()
    await signIn(context, site.url, ada, password)
    await context.close()
  }
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/tokens`)
  await press(page.getByRole('button', { name: 'Revoke two' }))
  await confirm(page, 'Revoke token')
  await expect(page.getByRole('button', { name: 'Revoke one' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Revoke one' }))
  await confirm(page, 'Revoke token')
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused()

  await page.goto(`${site.url}/user/settings/sessions`)
  const ends = page.getByRole('button', { name: /^Sign out Chrome/ })
  await expect(ends).toHaveCount(3)
  await press(ends.first())
  await confirm(page, 'Sign out')
  await expect(ends).toHaveCount(2)
  await expect(ends.first()).toBeFocused()
  await press(page.getByRole('button', { name: 'Sign out everywhere else' }))
  await expectAccessible(page)
  await confirm(page, 'Sign out everywhere else')
  await expect(ends).toHaveCount(0)
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.getByText('This browser')).toBeVisible()
})

test('a save button keeps the focus after saving', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'olga')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  const forms = [
    ['user/settings/profile', 'Location (optional)', 'Save profile'],
    [`${org}/engine/settings`, 'Website (optional)', 'Save settings'],
    [`-/orgs/${org}/teams/core/settings`, 'Description (optional)', 'Save team'],
    [`-/orgs/${org}/settings`, 'Location (optional)', 'Save profile'],
  ] as const
  for (const [path, label, words] of forms) {
    await page.goto(`${site.url}/${path}`)
    await page.getByLabel(label).fill('https://paris.example')
    const save = page.getByRole('button', { name: words })
    await press(save)
    await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
    await expect(save).toBeFocused()
    await expect(save).toBeDisabled()
  }
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/permissions`)
  await page.getByRole('radio', { name: /administrator/i }).check()
  const save = page.getByRole('button', { name: 'Save permissions' })
  await press(save)
  await expect(page.getByText('Saved the permissions of core')).toBeVisible()
  await expect(save).toBeFocused()
})

test('a confirmation dialog focuses the field for the name, which can be copied, and Enter confirms', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine' }, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine/settings`)
  await page.getByRole('button', { name: 'Delete this repository…' }).click()
  const dialog = page.getByRole('alertdialog')
  const name = dialog.getByLabel(`Type “${ada}/engine” to confirm`)
  await expect(name).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Copy name' })).toBeVisible()
  await expectAccessible(page)
  await name.fill(`${ada}/other`)
  await name.press('Enter')
  await expect(dialog).toBeVisible()
  await name.fill(`${ada}/engine`)
  await name.press('Enter')
  await expect(page.getByText(`Deleted ${ada}/engine`)).toBeVisible()
})

test('a token expires on the selected date, which the list shows', async ({ page, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/tokens?add=1`)
  await expect(page.getByText('Site administration')).toHaveCount(0)
  await expect(page.getByText('Packages')).toHaveCount(0)
  await page.getByLabel('Expiration', { exact: true }).selectOption('date')
  await page.getByRole('button', { name: 'Create token' }).click()
  for (const problem of [
    'Enter a name that describes what the token is for.',
    'Select today or a later date.',
    'Select at least one permission.',
  ]) {
    await expect(page.getByText(problem)).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByLabel('Name', { exact: true }).fill('short')
  await page.getByLabel('Expiration', { exact: true }).selectOption('7')
  await page.getByLabel('Full access').check()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('heading', { name: 'Copy the token “short” now' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'short' }).first()).toContainText(
    /Expires in [67] days/,
  )
})
