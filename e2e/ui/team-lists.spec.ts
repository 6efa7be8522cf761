import type { Page } from '@playwright/test'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { type CrowdedSite, crowdedSite, crowdSize } from './crowd'
import { makePerson, password } from './people'
import { expect, signIn, test } from './site'

let crowd: CrowdedSite
test.beforeAll(async () => {
  crowd = await crowdedSite()
})
test.afterAll(() => crowd[Symbol.asyncDispose]())

const rowsOf = (page: Page, list: string) => page.getByRole('region', { name: list }).getByRole('listitem')

test('the teams of an organization can be searched, sorted, and deleted several at a time by keyboard', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/teams`)
  const rows = rowsOf(page, 'Teams')
  await expect(rows).toHaveCount(30)
  await expect(rows.first()).toContainText('Owners')
  await expect(rows.first().getByRole('checkbox')).toHaveCount(0)
  await page.getByLabel('Sort by').selectOption({ label: 'Most members' })
  await expect(page).toHaveURL(/\?sort=members$/)
  await expect(rows.first()).toContainText('everybody')
  await expect(rows.first()).toContainText(/1,001 members.*1,000 repositories/)
  await page.getByLabel('Membership').selectOption({ label: 'Your teams' })
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Membership').selectOption({ label: 'All teams' })

  const filter = page.getByRole('searchbox', { name: 'Find a team' })
  await filter.focus()
  await page.keyboard.type('team-29')
  await expect(rows).toHaveCount(11)
  await page.getByLabel('Sort by').selectOption({ label: 'Newest' })
  await expect(rows.first()).toContainText('team-299')
  await page.reload()
  await expect(filter).toHaveValue('team-29')
  await expect(filter).toBeEditable()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await expectAccessible(page)
  const remove = page.getByRole('button', { name: 'Delete 2 teams' })
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('2 teams will be deleted: team-298, team-299.')
  await expect(dialog.getByLabel('Type “2 teams” to confirm')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('2 teams')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Deleted 2 teams from ${org}`)).toBeVisible()
  await expect(rows).toHaveCount(9)
  await expect(page.getByText('selected', { exact: false })).toHaveCount(0)
  const tab = page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: /^Teams/ })
  // The count includes the owners team and the team named everybody.
  await expect(tab).toHaveText(`Teams${crowdSize.teams + 2 - 2}`)
})

test('the repositories of a team can be searched, sorted, and removed several at a time, and Undo restores them', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/teams/everybody/repositories`)
  const rows = rowsOf(page, 'Repositories')
  await expect(rows).toHaveCount(30)
  await page.getByRole('searchbox', { name: 'Find a repository' }).fill('-77')
  await expect(rows).toHaveCount(11)
  await page.getByLabel('Sort by').selectOption({ label: 'Recently added' })
  await expect(page).toHaveURL(/\?q=-77&sort=newest$/)
  await page.reload()
  await expect(rows).toHaveCount(11)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await rows.first().getByRole('checkbox').uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove 10 repositories' }).click()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(11)
  await page.getByRole('button', { name: 'Remove repository-775' }).click()
  await expect(rows).toHaveCount(10)

  await page.getByRole('combobox', { name: 'Add a repository' }).fill('repository-77')
  await expect(page.getByRole('option', { name: 'repository-776' })).toContainText('Already added')
  await page.getByRole('option', { name: 'repository-775' }).click()
  await page.getByRole('button', { name: 'Add repository' }).click()
  await expect(rows).toHaveCount(11)
  const added = page.getByRole('listitem').filter({ hasText: 'Added repository-775' })
  await added.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(10)
})

test('Undo removes a person who was added to a team by mistake', async ({ page }) => {
  const { url, org, owner } = crowd
  const guest = await makePerson(url, 'gwen')
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/teams/team-7`)
  await page.getByRole('combobox', { name: 'Add a member' }).fill(guest)
  await page.getByRole('option', { name: guest }).click()
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(rowsOf(page, 'Members')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('No members yet')).toBeVisible()
})

test('the accounts of the site can be searched, sorted, disabled, and enabled several at a time', async ({
  page,
}) => {
  const { url, owner, org } = crowd
  await signIn(page, url, admin.name, admin.password)
  await page.goto(`${url}/-/admin/users`)
  const rows = rowsOf(page, 'Users')
  await expect(rows).toHaveCount(30)
  await page.getByLabel('Role').selectOption({ label: 'Administrators' })
  await expect(page).toHaveURL(/\?role=administrators$/)
  await expect(rows).toHaveCount(1)
  await expect(rows.first().getByRole('checkbox')).toHaveCount(0)
  await page.getByLabel('Role').selectOption({ label: 'Everyone' })
  await page.getByRole('searchbox', { name: 'Find a user' }).fill('-99')
  await expect(rows).toHaveCount(11)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Disable 11 accounts' }).click()
  const dialog = page.getByRole('alertdialog')
  for (const row of [0, 10]) {
    await expect(dialog).toContainText((await rows.nth(row).getByRole('link').first().textContent()) ?? '')
  }
  await dialog.getByRole('button', { name: 'Disable 11 accounts' }).click()
  await expect(rows.getByText('Disabled', { exact: true })).toHaveCount(11)
  await Promise.all([
    page.waitForResponse(/users\.browse/),
    page.getByLabel('State').selectOption({ label: 'Disabled' }),
  ])
  await expect(rows).toHaveCount(11)
  for (const row of [0, 1]) await rows.nth(row).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Enable 2 accounts' }).click()
  await expect(rows).toHaveCount(9)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(11)

  await page.getByLabel('State').selectOption({ label: 'Any state' })
  await page.getByRole('searchbox', { name: 'Find a user' }).fill(owner)
  await rows
    .first()
    .getByRole('button', { name: `Actions for ${owner}` })
    .click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await expect(dialog).toContainText('You can’t do this yet')
  const stands = dialog.getByRole('region', { name: 'Organizations that need another owner' })
  await expectAccessible(page)
  await stands.getByRole('link', { name: org }).click()
  await page.waitForURL(`${url}/-/orgs/${org}/teams/Owners`)
})

async function tabTo(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate(element => element === document.activeElement)) return
  }
  throw new Error('the keyboard does not get there')
}
