import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

const choice = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const rows = (page: Page) => page.getByRole('main').getByRole('listitem')

test('an owner creates an organization and a team, changes permissions, and deletes the team', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'grace')
  const member = await makePerson(site.url, 'linus')
  await signIn(page, site.url, owner, password)

  await page.goto(`${site.url}/-/orgs`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New organization' }).click()
  await page.getByLabel('Name', { exact: true }).fill('rockets and more')
  await expect(page.getByText('Use only letters and numbers')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('rockets')
  await expect(page.getByText(/^URL: .*\/rockets$/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.waitForURL(`${site.url}/rockets`)
  await expect(page.getByRole('heading', { name: 'rockets', level: 1 })).toBeVisible()
  await expectAccessible(page)
  await call(site.url, 'POST', '/orgs/rockets/repos', { name: 'engine', private: true }, owner)

  await page.getByRole('link', { name: /^Teams/ }).click()
  await page.getByRole('link', { name: 'New team' }).click()
  await page.getByLabel('Name', { exact: true }).fill('core')
  await page.getByRole('group', { name: 'Set all parts' }).getByRole('button', { name: 'None' }).click()
  await choice(page, 'Code: read').check()
  await page.keyboard.press('ArrowRight')
  await expect(choice(page, 'Code: write')).toBeChecked()
  await page.getByRole('button', { name: 'More (7)' }).click()
  await choice(page, 'Issues: read').check()
  await expect(choice(page, 'External wiki: write')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.waitForURL(/\/-\/orgs\/rockets\/teams\/core$/)
  await expect(page.getByText('Write access to Code', { exact: true })).toBeVisible()

  await page.getByRole('combobox', { name: 'Add a member' }).fill('linus')
  await expect(page.getByRole('option', { name: new RegExp(member) })).toBeVisible()
  // Pressing Enter after a part of a name selects no one, and selecting someone changes nothing yet.
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Add a member' })).toHaveValue(member)
  await expect(rows(page).filter({ hasText: member })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(rows(page).filter({ hasText: member })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Add a member' })).toBeFocused()
  const people = page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: /^People/ })
  await expect(people).toHaveText('People2')
  await page.keyboard.type(`${member}@example.test`)
  await expect(page.getByRole('option', { name: member })).toContainText('Already a member')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Team' }).getByRole('link', { name: 'Repositories' }).click()
  await page.getByRole('combobox', { name: 'Add a repository' }).fill('eng')
  await page.getByRole('option', { name: 'engine' }).click()
  await page.getByRole('button', { name: 'Add repository' }).click()
  await expect(rows(page).filter({ hasText: 'rockets/engine' })).toBeVisible()
  const asMember = () =>
    call<{ permissions: { push: boolean } }>(site.url, 'GET', '/repos/rockets/engine', undefined, member)
  expect((await asMember()).permissions.push).toBe(true)

  await page.getByRole('link', { name: 'Permissions' }).click()
  await choice(page, 'Code: read').check()
  const review = page.getByRole('region', { name: 'Changes', exact: true })
  await expect(review.getByRole('listitem').filter({ hasText: 'Code' }).first()).toContainText(/write.*read/)
  await expect(review.getByText('1 person is affected.')).toBeVisible()
  const loss = review.getByRole('listitem').filter({ hasText: member })
  await expect(loss).toContainText('Loses')
  await expect(loss).toContainText('in 1 repository')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(review).toHaveCount(0)
  await expect(choice(page, 'Code: write')).toBeChecked()
  await choice(page, 'Code: read').check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByText('Read access to Code', { exact: true })).toBeVisible()
  expect((await asMember()).permissions.push).toBe(false)
  await page.reload()
  await expect(choice(page, 'Code: read')).toBeChecked()

  await page.getByRole('navigation', { name: 'Team' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete core' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Delete team' })).toBeDisabled()
  await dialog.getByLabel('Type “core” to confirm').fill('core')
  await expect(dialog.getByRole('button', { name: 'Delete team' })).toBeEnabled()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete team' }).click()
  await page.waitForURL(/\/-\/orgs\/rockets\/teams$/)
  await expect(rows(page).filter({ hasText: 'Owners' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'core', exact: true })).toHaveCount(0)
  await page.goto(`${site.url}/-/orgs/rockets/people`)
  await expect(rows(page).filter({ hasText: owner })).toBeVisible()
  await expect(rows(page).filter({ hasText: member })).toHaveCount(0)
})

test('people outside an organization see its people and repositories, but no internal pages', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'emmy')
  const outsider = await makePerson(site.url, 'fritz')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, outsider, password)
  await page.goto(`${site.url}/${org}`)
  await expect(page.getByRole('heading', { name: 'Acme Rockets', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /^People/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Teams|^Settings/ })).toHaveCount(0)
  for (const path of [
    'teams',
    'teams/new',
    'teams/core',
    'teams/core/permissions',
    'settings',
    'settings/blocked',
  ]) {
    expect(await statusOf(page, `${site.url}/-/orgs/${org}/${path}`), path).toBe(404)
  }
})

test('an organization can be renamed, block someone, and be deleted when it owns nothing', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'hedy')
  const nuisance = await makePerson(site.url, 'ivan')
  const { org } = await makeTeam(site.url, owner)
  const name = `${org}-renamed`
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await expect(page.getByText(`${org} still owns 1 repository`)).toBeVisible()
  await expect(
    page.getByText(`the name ${org} is reused. For the first 30 days, only the organization’s owners`),
  ).toBeVisible()
  await page.getByLabel('New name').fill(name)
  await page.getByRole('button', { name: 'Rename organization' }).click()
  await page.waitForURL(`${site.url}/-/orgs/${name}/settings`)
  await page.goto(`${site.url}/-/orgs/${org}/teams/core?page=1`)
  await expect(page).toHaveURL(`${site.url}/-/orgs/${name}/teams/core?page=1`)
  await page.goto(`${site.url}/${org}`)
  await expect(page).toHaveURL(`${site.url}/${name}`)

  await page.goto(`${site.url}/-/orgs/${name}/settings/blocked`)
  await page.getByRole('combobox', { name: 'Person' }).fill(nuisance)
  await page.getByRole('option', { name: new RegExp(nuisance) }).click()
  await page.getByRole('button', { name: 'Block…' }).click()
  const asked = page.getByRole('alertdialog')
  await expect(asked).toContainText('No one will lose access to any repositories.')
  await asked.getByRole('button', { name: `Block ${nuisance}` }).click()
  await page.getByRole('button', { name: `Unblock ${nuisance}` }).click()
  await expect(page.getByText(`${name} hasn’t blocked anyone`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: `Unblock ${nuisance}` })).toBeVisible()

  await call(site.url, 'DELETE', `/repos/${name}/engine`, undefined, owner)
  await page.goto(`${site.url}/-/orgs/${name}/settings`)
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByLabel(`Type “${name}” to confirm`).fill(name)
  await page.getByRole('button', { name: 'Delete organization' }).click()
  await page.waitForURL(`${site.url}/-/orgs`)
  await expect(page.getByText('You’re not a member of any organizations')).toBeVisible()
})

test('anonymous visitors see a public organization, and are asked to sign in for more', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'olga')
  const { org } = await makeTeam(site.url, owner)
  await page.goto(`${site.url}/${org}`)
  await expect(page.getByRole('heading', { name: 'Acme Rockets', level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${site.url}/-/orgs/${org}/people`)
  await expect(page.getByText('No public members')).toBeVisible()
  await page.goto(`${site.url}/-/orgs/${org}/teams`)
  await expect(page).toHaveURL(/\/-\/sign-in\?next=/)
  await call(site.url, 'PATCH', `/orgs/${org}`, { visibility: 'private' }, owner)
  for (const path of [org, `-/orgs/${org}/people`, `-/orgs/${org}/activity`]) {
    expect(await statusOf(page, `${site.url}/${path}`), path).toBe(404)
  }
})

test('changing an organization’s visibility first shows who will see what', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'ines')
  const { org } = await makeTeam(site.url, owner)
  await call(site.url, 'PATCH', `/orgs/${org}`, { visibility: 'private' }, owner)
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'open', private: false }, owner)
  const now = () =>
    call<{ visibility: string; location: string }>(site.url, 'GET', `/orgs/${org}`, undefined, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await page.getByLabel('Location (optional)').fill('Lisbon')
  await page.getByLabel('Public', { exact: true }).check()
  await page.getByRole('button', { name: 'Save profile' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Make ${org} public?` })
  await expect(dialog).toContainText('Anyone, signed in or not,')
  await expect(dialog).toContainText(
    'They’ll also be able to see and clone 1 repository that isn’t private: open.',
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Public', { exact: true })).toBeChecked()
  await expect(page.getByLabel('Location (optional)')).toHaveValue('Lisbon')
  expect(await now()).toMatchObject({ visibility: 'private', location: '' })

  await page.getByRole('button', { name: 'Save profile' }).click()
  await dialog.getByRole('button', { name: 'Make public' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await now()).toMatchObject({ visibility: 'public', location: 'Lisbon' })

  // A change that makes nothing more visible is saved without a confirmation.
  await page.getByLabel('Location (optional)').fill('Porto')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect.poll(async () => (await now()).location).toBe('Porto')
})

test('a removal that is not possible explains why in advance and has no confirm button', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'lena')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/people`)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('alert')).toContainText('You can’t do this yet')
  await expect(dialog).toContainText('the last owner of')
  await expect(dialog).not.toContainText('To rejoin')
  await expect(dialog.getByRole('button', { name: 'Leave organization' })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)

  await call(site.url, 'DELETE', `/repos/${org}/engine`, undefined, owner)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'late' }, owner)
  await page.getByRole('button', { name: `Delete ${org}` }).click()
  await expect(dialog).toContainText(`${org} still owns 1 repository.`)
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toBeFocused()
})

test('a member can publish their membership and leave', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'joan')
  const member = await makePerson(site.url, 'karl')
  const { org, team } = await makeTeam(site.url, owner)
  await call(site.url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await signIn(page, site.url, member, password)
  await page.goto(`${site.url}/-/orgs/${org}/people`)
  await page.getByRole('button', { name: 'Make membership public' }).click()
  await expect(
    page.getByText('Your membership is visible to anyone who can see the organization.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave organization' }).click()
  await page.waitForURL(`${site.url}/-/orgs`)
  expect(await statusOf(page, `${site.url}/-/orgs/${org}/teams`)).toBe(404)
})

test('a profile shows organizations and a public email address, and the person can be blocked there', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'petra')
  const other = await makePerson(site.url, 'quinn')
  const { org } = await makeTeam(site.url, other)
  await call(site.url, 'PUT', `/orgs/${org}/public_members/${other}`, undefined, other)
  await call(site.url, 'POST', '/user/repos', { name: 'diary', private: true, auto_init: true }, owner)
  await call(site.url, 'PUT', `/repos/${owner}/diary/collaborators/${other}`, undefined, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${other}`)
  await expect(
    page.getByRole('region', { name: 'Organizations' }).getByRole('link', { name: org }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: `${other}@example.test` })).toBeVisible()
  await page.getByRole('button', { name: 'Block…' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`Collaborator access to 1 repository will end: ${owner}/diary.`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: `Block ${other}` }).click()
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible()
  expect(await call(site.url, 'GET', `/repos/${owner}/diary/collaborators`, undefined, owner)).toEqual([])
  await page.goto(`${site.url}/${owner}`)
  await expect(page.getByRole('button', { name: /Block/ })).toHaveCount(0)
})

test('a name that is invalid or in use is reported while it is typed, with a valid suggestion', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'rut')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/new`)
  await page.getByLabel('Name', { exact: true }).fill(owner)
  await expect(page.getByText(`The name ${owner} is already taken.`)).toBeVisible()
  await expect(page.getByText(/^URL: /)).toHaveCount(0)

  await page.goto(`${site.url}/-/new?owner=${org}`)
  await page.getByLabel('Repository name').fill('engine')
  await expect(page.getByText('A repository named engine already exists.')).toBeVisible()
  await page.getByLabel('Owner').selectOption(owner)
  await expect(page.getByText('A repository named engine already exists.')).toHaveCount(0)
  await page.getByLabel('Repository name').fill('my repo äö!')
  await page.getByRole('button', { name: 'Use “my-repo”' }).click()
  await expect(page.getByLabel('Repository name')).toHaveValue('my-repo')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create repository' }).click()
  await page.waitForURL(`${site.url}/${owner}/my-repo`)
})
