import type { Page } from '@playwright/test'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { hold } from './hold'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

const rows = (page: Page) => page.getByRole('main').getByRole('listitem')

test('Undo restores what was removed from a team, and the focus remains in the list', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  const [first, second] = [await makePerson(site.url, 'bea'), await makePerson(site.url, 'cleo')]
  const { org, team } = await makeTeam(site.url, owner)
  const others = await call<{ id: number }>(
    site.url,
    'POST',
    `/orgs/${org}/teams`,
    { name: 'others', permission: 'read', units: ['repo.code'] },
    owner,
  )
  for (const name of [first, second]) {
    for (const id of [team, others.id]) {
      await call(site.url, 'PUT', `/teams/${id}/members/${name}`, undefined, owner)
    }
  }
  await call(site.url, 'PUT', `/teams/${team}/repos/${org}/engine`, undefined, owner)
  await signIn(page, site.url, owner, password)

  await page.goto(`${site.url}/-/orgs/${org}/teams/core`)
  await page.getByRole('button', { name: `Remove ${first}` }).click()
  await expect(rows(page).filter({ hasText: first })).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Remove ${second}` })).toBeFocused()
  // From the end of the page, Tab moves to the toast and its button, and then onward instead of back.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  const last = page.getByRole('contentinfo').getByRole('link').last()
  await last.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(last).not.toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page).filter({ hasText: first })).toBeVisible()

  await page.goto(`${site.url}/-/orgs/${org}/teams/core/repositories`)
  await page.getByRole('button', { name: 'Remove engine' }).click()
  await expect(page.getByText('No repositories yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page).filter({ hasText: `${org}/engine` })).toBeVisible()
})

test('a team is created only once, however often the form is submitted before its page is shown', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/new`)
  await page.getByLabel('Name', { exact: true }).fill('builders')
  let asked = 0
  page.on('request', request => {
    if (request.url().includes('teams.create')) asked++
  })
  const itsPage = await hold(page, /\/teams\/builders/)
  const create = page.getByRole('button', { name: 'Create team' })
  await create.evaluate((button: HTMLButtonElement) => {
    for (let click = 0; click < 6; click++) button.click()
  })
  await itsPage.isAsked()
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await create.evaluate((button: HTMLButtonElement) => button.click())
  await itsPage.release()
  await expect(page).toHaveURL(`${site.url}/-/orgs/${org}/teams/builders`)
  expect(asked).toBe(1)
})

test('a permission change that affects no one says so, and administrator access shows what else it grants', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'dora')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/permissions`)
  await page.getByLabel('Administrator access').check()
  const review = page.getByRole('region', { name: 'Changes', exact: true })
  await expect(review).toContainText('including the ability to manage settings and collaborators')
  await expect(review).toContainText('No one. The team has no members yet.')
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(review).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Administrator access')).toBeChecked()
})

test('a team’s activity can be filtered by day, which is part of the URL', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'sofja')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/repos/${org}/engine`, undefined, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/activity`)
  const made = rows(page).filter({ hasText: 'created the repository' })
  await expect(made).toBeVisible()
  await page.getByLabel('Day (UTC)').fill('2001-02-03')
  await page.waitForURL(/\?date=2001-02-03$/)
  await expect(page.getByText('No activity on this day.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all days' }).click()
  await expect(made).toBeVisible()
})

test('adding all repositories to a team first shows who gains access', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'thea')
  const member = await makePerson(site.url, 'ulf')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/settings`)
  await page.getByLabel('All repositories in the organization').check()
  const affected = page.getByRole('region', { name: 'Who gains or loses access' })
  await expect(affected.getByRole('listitem').filter({ hasText: member })).toContainText('Gains')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save team' }).click()
  await expect(affected).toHaveCount(0)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/repositories`)
  await expect(page.getByText('This team can access every repository')).toBeVisible()
  await expect(rows(page).filter({ hasText: `${org}/engine` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove engine' })).toHaveCount(0)
})

test('a member can see their own team and its permissions, but no other team', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'mary')
  const member = await makePerson(site.url, 'nils')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await signIn(page, site.url, member, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams`)
  await expect(rows(page).filter({ hasText: 'Owners' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Owners' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'New team' })).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'core' })).toContainText('Your team')
  await page.getByRole('link', { name: 'core' }).click()
  await expect(page.getByRole('button', { name: 'Leave core' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Add a member' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Permissions' }).click()
  await expect(page.getByText('Only organization owners can change these permissions.')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('row', { name: /^Code/ }).getByRole('img', { name: 'Yes' })).toBeVisible()
  await expectAccessible(page)
  for (const path of ['Owners', 'Owners/permissions', 'core/settings', 'nowhere']) {
    expect(await statusOf(page, `${site.url}/-/orgs/${org}/teams/${path}`), path).toBe(404)
  }
})

test('a site administrator can find a team by name and remove a member', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'paul')
  const member = await makePerson(site.url, 'rosa')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/orgs/${org}/teams`)
  const filter = page.getByRole('searchbox', { name: 'Find a team' })
  await filter.fill('cor')
  await page.waitForURL(/\?q=cor$/)
  await expect(rows(page).filter({ hasText: 'Owners' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'core' })).toBeVisible()
  await filter.fill('nothing of the kind')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('link', { name: 'Owners' })).toBeVisible()

  await page.goto(`${site.url}/-/orgs/${org}/people`)
  await expect(rows(page).filter({ hasText: owner })).toContainText('Owner')
  await page.getByRole('button', { name: `Remove ${member}` }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog).toContainText('They’ll leave 1 team: core.')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await expect(rows(page).filter({ hasText: member })).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Remove ${owner}` })).toBeFocused()
})

test('removing people from their last team asks first, and they lose exactly what was shown', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'tove')
  const member = await makePerson(site.url, 'ugo')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await call(site.url, 'PUT', `/repos/${org}/engine/collaborators/${member}`, undefined, owner)
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'plans', private: true }, owner)
  await call(site.url, 'PUT', `/teams/${team}/repos/${org}/plans`, undefined, owner)
  const collaborators = (): Promise<object[]> =>
    call(site.url, 'GET', `/repos/${org}/engine/collaborators`, undefined, owner)
  await signIn(page, site.url, owner, password)

  await page.goto(`${site.url}/-/orgs/${org}/people`)
  await page.getByRole('button', { name: `Remove ${member}` }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('They’ll leave 1 team: core.')
  await expect(dialog).toContainText(`lose collaborator access to 1 repository: ${org}/engine`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await collaborators()).toHaveLength(1)

  await page.goto(`${site.url}/-/orgs/${org}/teams/core`)
  await page.getByRole('button', { name: `Remove ${member}` }).click()
  await expect(dialog).toContainText(`They’ll also leave 1 organization: ${org}.`)
  await expect(dialog).toContainText(`lose collaborator access to 1 repository: ${org}/engine`)
  await expect(dialog).toContainText(`lose all access to 2 repositories: ${org}/engine, ${org}/plans.`)
  // Someone else makes one of these changes before the button is pressed, so the dialog is outdated.
  await call(site.url, 'DELETE', `/repos/${org}/engine/collaborators/${member}`, undefined, owner)
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await expect(dialog).toContainText('has changed since it was shown')
  await expect(dialog).not.toContainText(`${org}/engine`)
  await expect(dialog).toContainText(`lose all access to 1 repository: ${org}/plans.`)
  const people = page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: /^People/ })
  await expect(people).toHaveText('People2')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await expect(page.getByText('No members yet')).toBeVisible()
  await expect(page.getByText(`Removed ${member} from core`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect(people).toHaveText('People1')
  expect(await call<object[]>(site.url, 'GET', `/orgs/${org}/members`, undefined, owner)).toHaveLength(1)
  await page.getByRole('button', { name: 'Add yourself' }).click()
  await expect(page.getByRole('region', { name: 'Members' })).toContainText(owner)
})

test('after someone else changes the permissions, the review starts from the current ones', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'vera')
  const member = await makePerson(site.url, 'wim')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await call(site.url, 'PUT', `/teams/${team}/repos/${org}/engine`, undefined, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core/permissions`)
  // Units that this site does not use yet are collapsed and not counted.
  await expect(page.getByLabel('Wiki: write')).toHaveCount(0)
  await page.getByRole('button', { name: 'More (7)' }).click()
  await page.getByLabel('Code: read').check()
  const person = page
    .getByRole('region', { name: 'Who gains or loses access' })
    .getByRole('listitem')
    .filter({ hasText: member })
  await expect(person.getByText('Loses')).toHaveCount(1)

  const colleague = { permission: 'write', units_map: { 'repo.code': 'write', 'repo.wiki': 'write' } }
  await call(site.url, 'PATCH', `/teams/${team}`, colleague, owner)
  await page.getByRole('button', { name: 'Save permissions' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed these permissions' })
  await expect(notice).toContainText('Your changes are kept')
  // The colleague added the wiki and removed the issues, which were not changed on this page.
  await expect(page.getByLabel('Wiki: write')).toBeChecked()
  await expect(page.getByLabel('Issues: none', { exact: true })).toBeChecked()
  const changes = page.getByRole('region', { name: 'Changes', exact: true })
  await expect(changes).toContainText(/Code: write\s+read/)
  await expect(person.getByText('Loses')).toHaveCount(1)
  await expect(person.getByText('Gains')).toHaveCount(0)
  await expect(person.getByRole('link', { name: member })).toHaveAttribute('href', `/${member}`)
  await person.getByRole('button', { name: '1 repository' }).first().click()
  await expect(person.getByRole('link', { name: 'engine' })).toHaveAttribute('href', `/${org}/engine`)
  await expectAccessible(page)

  // Before anything is saved again, the colleague changes the same unit and another one.
  const more = { 'repo.code': 'none', 'repo.wiki': 'write', 'repo.releases': 'read' }
  await call(site.url, 'PATCH', `/teams/${team}`, { permission: 'write', units_map: more }, owner)
  await page.getByLabel('Packages: write').check()
  await expect(notice).toContainText('Code: theirs is “none”, yours is “read”')
  await expect(notice).toBeInViewport()
  await expect(page.getByText('not saved')).toHaveCount(0)
  await expect(page.getByLabel('Releases: read')).toBeChecked()
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Use theirs: Code' }).click()
  await expect(notice).toBeFocused()
  await expect(page.getByLabel('Code: none')).toBeChecked()
  await expect(notice).not.toContainText('theirs is')
  await expect(changes).toContainText(/Packages: none\s+write/)
  await expect(changes).not.toContainText('Code')

  const save = page.getByRole('button', { name: 'Save permissions' })
  await expect(save).toBeInViewport()
  await save.click()
  await expect(page.getByText('Saved the permissions of core')).toBeVisible()
  const now = await call<{ units_map: Record<string, string> }>(
    site.url,
    'GET',
    `/teams/${team}`,
    undefined,
    owner,
  )
  expect(now.units_map).toMatchObject({ ...more, 'repo.issues': 'none', 'repo.packages': 'write' })
})
