import { expectAccessible } from './axe'
import { type CrowdedSite, crowdedSite } from './crowd'
import { call, password } from './people'
import { expect, signIn, test } from './site'

let crowd: CrowdedSite
test.beforeAll(async () => {
  crowd = await crowdedSite()
})
test.afterAll(() => crowd[Symbol.asyncDispose]())

test('the repositories of an organization can be searched, sorted, archived, and deleted several at a time', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/${org}`)
  const rows = page.getByRole('region', { name: 'Repositories', exact: true }).getByRole('listitem')
  await expect(rows).toHaveCount(30)
  const filter = page.getByRole('searchbox', { name: 'Find a repository' })
  await filter.fill('repository-77')
  await expect(rows).toHaveCount(11)
  await page.getByLabel('Sort by').selectOption({ label: 'Name' })
  await expect(page).toHaveURL(/q=repository-77.*sort=name/)
  await expect(rows.first()).toContainText('repository-77')
  await page.reload()
  await expect(filter).toHaveValue('repository-77')
  await expect(rows).toHaveCount(11)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('11 selected')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Archive 11 repositories' }).click()
  await expect(page.getByText('Archived 11 repositories')).toBeVisible()
  await expect(rows.filter({ hasText: 'Archived' })).toHaveCount(11)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows.filter({ hasText: 'Archived' })).toHaveCount(0)
  await rows.first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Archive 1 repository' }).click()
  await filter.fill('')
  await expect(page).not.toHaveURL(/q=/)
  await page.getByLabel('Kind').selectOption({ label: 'Archived' })
  await expect(rows).toHaveCount(1)

  await rows.first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete 1 repository' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`${org}/repository-77`)
  const agree = dialog.getByRole('button', { name: 'Delete 1 repository' })
  await expect(agree).toBeDisabled()
  await dialog.getByRole('textbox').fill('1 repository')
  const deletions: string[] = []
  page.on('request', request => void (/removeAll/.test(request.url()) && deletions.push(request.url())))
  await agree.dblclick()
  await expect(page.getByText('Deleted 1 repository')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No matching repositories' })).toBeVisible()
  expect(deletions).toHaveLength(1)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText('999', { exact: true }).first()).toBeVisible()
})

test('repositories can be selected and archived by keyboard, at most 100 at a time', async ({ page }) => {
  const { url, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/?limit=100&sort=name`)
  const rows = page.getByRole('region', { name: 'Repositories', exact: true }).getByRole('listitem')
  await expect(rows).toHaveCount(100)
  await expect(page.getByRole('searchbox', { name: 'Find a repository' })).toBeEditable()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Archive 2 repositories' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Archived 2 repositories')).toBeVisible()
  await expect(rows.filter({ hasText: 'Archived' })).toHaveCount(2)
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('100 selected, the maximum')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows.first()).not.toContainText('Archived')
  await rows.first().getByRole('checkbox').click()
  await expect(rows.first().getByRole('checkbox')).not.toBeChecked()
  await expect(page.getByText('100 selected, the maximum')).toBeVisible()
})

test('organizations and people can be explored with the same search text as repositories', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await call(url, 'POST', '/user/repos', { name: 'hidden', private: true }, owner)
  await page.goto(`${url}/explore`)
  const nav = page.getByRole('navigation', { name: 'Explore' })
  await expect(page.getByLabel('Visibility')).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Find a repository' }).fill('hidden')
  await expect(page.getByRole('heading', { name: 'No matching repositories' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find a repository' }).fill(org)
  await expect(page).toHaveURL(new RegExp(`q=${org}$`))
  await nav.getByRole('link', { name: 'Organizations' }).click()
  await expect(page).toHaveURL(new RegExp(`tab=organizations&q=${org}$`))
  const found = (title: string) => page.getByRole('region', { name: title }).getByRole('listitem')
  await expect(found('Organizations')).toHaveCount(1)
  await nav.getByRole('link', { name: 'People' }).click()
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('-999 person')
  await expect(found('People')).toHaveCount(1)
  await expectAccessible(page)
  await page.reload()
  await expect(found('People')).toHaveCount(1)

  await page.getByRole('searchbox', { name: 'Find a person' }).blur()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(org)
  await expect(page.getByRole('option', { name: `Organizations matching “${org}”` })).toBeVisible()
  for (const key of ['End', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(new RegExp(`tab=organizations&q=${org}$`))
  await found('Organizations').getByRole('link').click()
  await expect(page).toHaveURL(`${url}/${org}`)
})
