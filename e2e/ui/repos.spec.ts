import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { gitOk } from '@/testing/git'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

/** Pushes one commit to each of these branches, using the URL that the page shows. */
async function push(address: string, login: string, branches: readonly string[]): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-push-'))
  try {
    await gitOk(['clone', address, '.'], { cwd, authorization })
    for (const branch of branches) {
      await gitOk(['checkout', '-B', branch], { cwd })
      await writeFile(join(cwd, 'README.md'), branch)
      await gitOk(['add', 'README.md'], { cwd })
      await gitOk(['commit', '-m', `Work on ${branch}\n\nAt length.`], { cwd })
      await gitOk(['push', '-u', 'origin', branch], { cwd, authorization })
    }
    return await gitOk(['rev-parse', branches[0] ?? 'HEAD'], { cwd })
  } finally {
    await rm(cwd, { recursive: true })
  }
}

const main = (page: Page) => page.getByRole('main')
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Repository', exact: true }).getByRole('link', { name })

test('a repository can be created and pushed to with Git, and shows the pushed content', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'nora')
  await signIn(page, site.url, owner, password)
  await page.goto(site.url)
  await expect(page).toHaveURL(`${site.url}/`)
  await expect(
    page.getByRole('region', { name: 'Get started' }).getByRole('heading', { level: 3 }),
  ).toHaveText(['Add an SSH key', 'Create a repository', 'Push'])
  await expectAccessible(page)
  await main(page).getByRole('link', { name: 'New repository' }).first().click()

  const name = page.getByLabel('Repository name')
  await name.fill('no spaces')
  await expect(page.getByText('Use only letters, numbers')).toBeVisible()
  await name.fill('site')
  await expect(page.getByText(new RegExp(`/${owner}/site$`))).toBeVisible()
  await page.getByLabel('Description').fill('What the world sees of us')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create repository' }).click()
  await page.waitForURL(`${site.url}/${owner}/site`)

  await expect(page.getByText('This repository is empty.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create a file' })).toBeVisible()
  await expect(page.getByText(/git clone http:\S+\/site\.git$/)).toBeVisible()
  await expect(page.getByText('git remote add origin').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an access token' })).toBeVisible()
  await expectAccessible(page)

  const address = `${site.url}/${owner}/site.git`
  const sha = await push(address, owner, ['main', 'release/1'])
  await page.goto(address)
  await expect(page).toHaveURL(`${site.url}/${owner}/site`)
  await expect(page.getByRole('complementary').getByText('What the world sees of us')).toBeVisible()
  await expect(main(page).getByText('Work on main', { exact: true }).first()).toBeVisible()
  await expect(main(page).getByText(sha.slice(0, 10)).first()).toBeVisible()
  await expect(main(page).getByText('created the branch release/1')).toBeVisible()

  await tab(page, 'Branches').click()
  await page.waitForURL(/\/branches$/)
  const rows = main(page).getByRole('listitem').filter({ hasText: 'git fetch origin' })
  const release = rows.filter({ hasText: 'release/1' })
  await expect(release.getByText('git fetch origin release/1')).toBeVisible()
  await expect(rows.first().getByText('Default', { exact: true })).toBeVisible()
  const filter = page.getByRole('searchbox', { name: 'Find a branch' })
  await filter.fill('RELEASE')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/[?]q=RELEASE$/)
  await filter.fill('nowhere')
  await expect(page.getByRole('heading', { name: 'No matching branches' })).toBeVisible()
  await expectAccessible(page)
  await filter.fill('')
  await expect(rows).toHaveCount(2)
  await release.getByRole('button', { name: 'Make default: release/1' }).click()
  await expect(release.getByText('Default', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(release.getByText('Default', { exact: true })).toHaveCount(0)

  await tab(page, 'Tags').click()
  await expect(page.getByRole('heading', { name: 'No tags yet' })).toBeVisible()
  await expectAccessible(page)
  await tab(page, 'Activity').click()
  await expect(main(page).getByText('created the repository')).toBeVisible()
  await page.goto(`${site.url}/${owner}/site/activity?date=2001-02-03`)
  await expect(page.getByText('No activity on this day.')).toBeVisible()
})

test('a repository can be renamed, archived, made private, and deleted, each after its effects are shown', async ({
  page,
  site,
}) => {
  await call(site.url, 'POST', '/user/repos', { name: 'shop', auto_init: true })
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/${admin.name}/shop`)
  await tab(page, 'Settings').click()
  await page.waitForURL(/\/settings$/)
  await page.getByLabel('Repository name').fill('market')
  await expect(page.getByText('This changes the repository’s URL')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.waitForURL(`${site.url}/${admin.name}/market/settings`)
  await page.goto(`${site.url}/${admin.name}/shop/branches?page=1`)
  await expect(page).toHaveURL(`${site.url}/${admin.name}/market/branches?page=1`)

  await page.goto(`${site.url}/${admin.name}/market/settings`)
  const danger = page.getByRole('region', { name: 'Danger zone' })
  await expect(danger.getByRole('heading', { level: 3 })).toHaveText([
    'Visibility',
    'Archive',
    'Transfer',
    'Delete',
  ])
  await danger.getByRole('button', { name: 'Archive repository', exact: true }).click()
  await expect(page.getByText('This repository is archived', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Unarchive repository' }).click()
  await expect(page.getByText('This repository is archived', { exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Make private…' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make private' }).click()
  await expect(main(page).getByText('Private', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Delete this repository…' }).click()
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete repository' })
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel(/^Type/).fill(`${admin.name}/market`)
  await confirm.click()
  await page.waitForURL(`${site.url}/`)
  expect(await statusOf(page, `${site.url}/${admin.name}/market`)).toBe(404)
  expect(await statusOf(page, `${site.url}/${admin.name}/shop`)).toBe(404)
})

test('administrators see everyone who can push and why, and others see this only for themselves', async ({
  page,
  site,
  browser,
}) => {
  const grace = await makePerson(site.url, 'grace')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', auto_init: true })
  const home = `${site.url}/${admin.name}/engine`
  await signIn(page, site.url, admin.name, admin.password)

  await page.goto(`${home}/settings/access`)
  await expect(page.getByRole('heading', { name: 'Access', exact: true, level: 2 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No collaborators yet' })).toBeVisible()
  const why = page.getByRole('region', { name: 'Who can push here and why' })
  await why.getByRole('combobox', { name: 'Person' }).fill(grace)
  await expect(page.getByRole('option', { name: grace })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`\\?why=${grace}$`))
  await expect(why).toContainText(`${grace} can’t push: they have only read access to the code`)

  const adding = page.getByRole('region', { name: 'Add a collaborator' })
  await adding.getByRole('combobox', { name: 'Person to add' }).fill(grace)
  await page.getByRole('option', { name: grace }).click()
  await page.getByRole('button', { name: 'Add collaborator' }).click()
  const access = page.getByRole('combobox', { name: `Access for ${grace}` })
  await expect(access).toHaveValue('write')
  await expect(why).toContainText(`${grace} can push: collaborator with write access.`)
  await expectAccessible(page)

  await access.selectOption('read')
  await expect(why).toContainText(`${grace} can’t push`)
  await access.selectOption('admin')
  await expect(why).toContainText(`${grace} can push: collaborator with admin access.`)
  await page.getByRole('button', { name: `Remove ${grace}` }).click()
  await expect(why).toContainText(`${grace} can’t push`)
  await page
    .getByRole('listitem')
    .filter({ hasText: `Removed ${grace}` })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(access).toHaveValue('admin')
  await access.selectOption('write')
  await expect(why).toContainText(`${grace} can push: collaborator with write access.`)
  await page.reload()
  await expect(why).toContainText(`${grace} can push: collaborator with write access.`)

  const context = await browser.newContext()
  const theirs = await context.newPage()
  await signIn(theirs, site.url, grace, password)
  await theirs.goto(site.url)
  await expect(theirs.getByRole('link', { name: `${admin.name}/engine` }).first()).toBeVisible()
  await theirs.goto(home)
  await theirs.getByRole('link', { name: 'Your access' }).click()
  await expect(theirs.getByText('You can push: collaborator with write access.')).toBeVisible()
  await expectAccessible(theirs)
  expect(await statusOf(theirs, `${home}/settings/access`)).toBe(404)
  await theirs.goto(`${home}?why=${grace}`)
  await theirs.getByRole('button', { name: 'Leave repository' }).click()
  await expect(theirs.getByRole('alertdialog')).toBeVisible()
  const leave = theirs.getByRole('alertdialog').getByRole('button', { name: 'Leave repository' })
  await leave.hover()
  // Halfway between its normal and hover colors, the button would have too little contrast.
  expect(await leave.evaluate(it => it.getAnimations().length)).toBe(0)
  await expectAccessible(theirs)
  await leave.click()
  await expect(theirs.getByText(`You left ${admin.name}/engine`)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No collaborators yet' })).toBeVisible()
  await context.close()
})

test('selecting a license also adds a README, which is optional again without a license', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/new`)
  const readme = page.getByLabel('Add a README')
  for (const [field, choice] of [
    ['License', 'MIT License'],
    ['Add .gitignore', 'Go'],
  ] as const) {
    await page.getByLabel(field).selectOption(choice)
    await expect(readme).toBeChecked()
    await expect(readme).toBeDisabled()
    await page.getByLabel(field).selectOption('None')
    await expect(readme).not.toBeChecked()
  }
  await readme.check()
  await page.getByLabel('License').selectOption('MIT License')
  await page.getByLabel('License').selectOption('None')
  await expect(readme).toBeChecked()
  await expect(readme).toBeEnabled()
  await readme.uncheck()
  await page.getByLabel('License').selectOption('MIT License')
  await page.getByLabel('Repository name').fill('licensed')
  await page.getByRole('button', { name: 'Create repository' }).click()
  await page.waitForURL(`${site.url}/${admin.name}/licensed`)
  await expect(
    main(page).getByRole('table', { name: 'Files' }).getByRole('link', { name: 'LICENSE' }),
  ).toBeVisible()
})

test("a repository can be added to an organization's teams and removed again", async ({ page, site }) => {
  await call(site.url, 'POST', '/orgs', { username: 'acme' })
  await call(site.url, 'POST', '/orgs/acme/teams', { name: 'Builders', units_map: { 'repo.code': 'write' } })
  await signIn(page, site.url, admin.name, admin.password)
  await page.goto(`${site.url}/-/new?owner=acme`)
  await expect(page.getByLabel('Owner')).toHaveValue('acme')
  await page.getByLabel('Repository name').fill('rocket')
  await page.getByLabel('Private').check()
  await page.getByLabel('Add .gitignore').selectOption('Go')
  await page.getByLabel('License').selectOption('MIT License')
  await page.getByLabel('Labels').selectOption('Default')
  await page.getByRole('button', { name: 'Create repository' }).click()
  await page.waitForURL(`${site.url}/acme/rocket`)
  const labels = await call<{ name: string }[]>(site.url, 'GET', '/repos/acme/rocket/labels')
  expect(labels.map(({ name }) => name)).toContain('help wanted')
  await expect(
    main(page).getByRole('table', { name: 'Files' }).getByRole('link', { name: 'LICENSE' }),
  ).toBeVisible()

  await page.goto(`${site.url}/acme/rocket/settings/access?why=${admin.name}`)
  await expect(page.getByText(/can push: .*owner of the organization acme/).first()).toBeVisible()
  const team = main(page).getByRole('listitem').filter({ hasText: 'Builders' })
  await expect(team).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Team' }).fill('build')
  await page.getByRole('option', { name: /Builders/ }).click()
  await page.getByRole('button', { name: 'Add team' }).click()
  await expect(team).toContainText('Write access to Code')
  await expectAccessible(page)
  await team.getByRole('button', { name: 'Remove the team Builders' }).click()
  await expect(team).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(team).toHaveCount(1)
})

test('a repository administrator from outside the organization can add the repository to a team if the organization allows that', async ({
  page,
  site,
}) => {
  await call(site.url, 'POST', '/orgs', { username: 'guests', repo_admin_change_team_access: true })
  await call(site.url, 'POST', '/orgs/guests/teams', { name: 'Hosts', units_map: { 'repo.code': 'read' } })
  await call(site.url, 'POST', '/orgs/guests/repos', { name: 'lobby', private: true })
  const greta = await makePerson(site.url, 'greta')
  await call(site.url, 'PUT', `/repos/guests/lobby/collaborators/${greta}`, { permission: 'admin' })
  await signIn(page, site.url, greta, password)
  await page.goto(`${site.url}/guests/lobby/settings/access`)
  const field = page.getByRole('combobox', { name: 'Team' })
  await field.fill('own')
  await expect(page.getByRole('option', { name: /Owners/ })).toContainText('Already has access')
  await field.fill('host')
  await page.getByRole('option', { name: /Hosts/ }).click()
  await page.getByRole('button', { name: 'Add team' }).click()
  await expect(main(page).getByRole('listitem').filter({ hasText: 'Hosts' })).toContainText(
    'Read access to Code',
  )
  await field.fill('nobody')
  await expect(page.getByText('No teams match “nobody”.').first()).toBeVisible()
})

test('anonymous visitors find public repositories in the selected order, and no private ones', async ({
  page,
  site,
}) => {
  for (const name of ['quartz-b', 'quartz-a']) await call(site.url, 'POST', '/user/repos', { name })
  await call(site.url, 'POST', '/user/repos', { name: 'quartz-hidden', private: true })
  await page.goto(site.url)
  await page.getByRole('link', { name: 'Browse public repositories' }).click()
  await page.getByLabel('Find a repository').fill('quartz')
  await page.waitForURL(/q=quartz/)
  await page.getByLabel('Sort by').selectOption('name')
  await page.waitForURL(/sort=name/)
  await expect(
    main(page).getByRole('region', { name: 'Repositories' }).getByRole('listitem').getByRole('link'),
  ).toHaveText([`${admin.name}/quartz-a`, `${admin.name}/quartz-b`])
  expect(page.url()).toContain('q=quartz')
  await expectAccessible(page)
  expect(await statusOf(page, `${site.url}/${admin.name}/quartz-hidden`)).toBe(404)
  await page.goto(`${site.url}/${admin.name}/quartz-a`)
  await expectAccessible(page)
  await page.goto(`${site.url}/explore?q=nothing-like-it`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL(`${site.url}/explore`)
})

test('in a narrow window, the tabs of a repository are in one row, scrolled to the open one', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'tabea')
  await call(site.url, 'POST', '/user/repos', { name: 'narrow', auto_init: true }, owner)
  await signIn(page, site.url, owner, password)
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`${site.url}/${owner}/narrow/settings`)
  const tabs = page.getByRole('navigation', { name: 'Repository', exact: true }).getByRole('link')
  const tops = await tabs.evaluateAll(all => all.map(each => Math.round(each.getBoundingClientRect().top)))
  expect(tops.length).toBeGreaterThan(4)
  expect(new Set(tops).size).toBe(1)
  await expect(tab(page, 'Settings')).toBeInViewport({ ratio: 1 })
})

test('people whose repositories all belong to organizations find them on their own page', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'orgo')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${owner}`)
  await expect(page.getByRole('heading', { name: 'You don’t own any repositories yet' })).toBeVisible()
  const workedOn = page.getByRole('region', { name: 'Repositories you work on' })
  await expect(workedOn).toContainText(`${org}/engine`)
  await expectAccessible(page)

  // Other people see neither the hint nor these repositories.
  const visitor = await makePerson(site.url, 'vera')
  await page.context().clearCookies()
  await signIn(page, site.url, visitor, password)
  await page.goto(`${site.url}/${owner}`)
  await expect(
    page.getByRole('heading', { name: `${owner} has no repositories that you can see` }),
  ).toBeVisible()
  await expect(workedOn).toHaveCount(0)
})

test('a search without results on a person’s own page shows no other repositories', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'orgo')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/${owner}?q=nothing-of-the-kind`)
  const workedOn = page.getByRole('region', { name: 'Repositories you work on' })
  await expect(page.getByRole('heading', { name: 'No matching repositories' })).toBeVisible()
  await expect(workedOn).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('heading', { name: 'You don’t own any repositories yet' })).toBeVisible()
  await expect(workedOn).toContainText(`${org}/engine`)
})
