import { expectAccessible } from './axe'
import { type CrowdedSite, crowdedSite } from './crowd'
import { hold } from './hold'
import { call, password } from './people'
import { expect, signIn, test } from './site'

let crowd: CrowdedSite
test.beforeAll(async () => {
  crowd = await crowdedSite()
})
test.afterAll(() => crowd[Symbol.asyncDispose]())

test('the people of an organization can be searched, sorted, and removed several at a time', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/people`)
  const rows = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
  await expect(rows).toHaveCount(30)

  const filter = page.getByRole('searchbox', { name: 'Find a member' })
  await filter.fill('-77')
  await expect(page).toHaveURL(/\?q=-77$/)
  await expect(rows).toHaveCount(11)
  await page.getByLabel('Sort by').selectOption({ label: 'Newest' })
  await expect(page).toHaveURL(/sort=newest/)
  await page.reload()
  await expect(filter).toHaveValue('-77')
  await expect(rows).toHaveCount(11)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('11 selected')).toBeVisible()
  await expectAccessible(page)
  await rows.nth(3).getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Remove 10 members' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('10 people will leave the organization')
  await dialog.getByRole('button', { name: 'Remove 10 members' }).click()
  await expect(page.getByText(`Removed 10 members from ${org}`)).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('selected', { exact: false })).toHaveCount(0)

  await filter.fill('nobody has this')
  await expect(page.getByRole('heading', { name: 'No matching members' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows).toHaveCount(30)
  await page.getByLabel('Role').selectOption({ label: 'Owners' })
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText(owner)
})

test('a list can be used by keyboard', async ({ page }) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/people?q=-5`)
  const rows = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
  await expect(rows).toHaveCount(30)
  await expect(page.getByRole('searchbox', { name: 'Find a member' })).toBeEditable()
  for (const key of ['j', 'x', 'j', 'j', 'k', 'x']) await page.keyboard.press(key)
  await expect(rows.nth(0).getByRole('checkbox')).toBeChecked()
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByLabel('Rows per page').selectOption('100')
  await expect(rows).toHaveCount(100)
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked()
})

test('a list keeps its rows and its selection while other rows fail to load', async ({ page }) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/people`)
  const rows = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
  const filter = page.getByRole('searchbox', { name: 'Find a member' })
  await expect(filter).toBeEditable()
  for (const row of [rows.nth(2), rows.nth(3)]) await row.getByRole('checkbox').check()
  const first = await rows.first().textContent()

  const pages = page.getByRole('navigation', { name: 'Pages of members' })
  await page.route(/listPeople/, route => route.abort())
  await pages.getByRole('link', { name: 'Next' }).click()
  await expect(pages.locator('[aria-current=page]')).toHaveText('2', { timeout: 1_000 })
  const failure = page.getByRole('alert').filter({ hasText: 'Couldn’t load members' })
  await expect(failure).toBeVisible({ timeout: 10_000 })
  await expect(rows.first()).toHaveText(first ?? '')
  await expect(page.getByText('2 selected')).toBeVisible()
  await expectAccessible(page)

  await page.unroute(/listPeople/)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toHaveCount(0)
  await expect(rows.first()).not.toHaveText(first ?? '')
  await expect(page.getByText('2 selected, 2 on other pages')).toBeVisible()

  await filter.fill('-88')
  await expect(rows).toHaveCount(11)
  await expect(page.getByText('selected', { exact: false })).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: '11 members match' })).toHaveCount(1)
})

test('a selected list filter is shown immediately while the list is fetched, without a page load', async ({
  page,
}) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.goto(`${url}/-/orgs/${org}/people?sort=newest`)
  const rows = page.getByRole('region', { name: /members/i }).getByRole('listitem')
  const role = page.getByLabel('Role')
  await expect(page.getByRole('searchbox', { name: 'Find a member' })).toBeEditable()
  const documents: string[] = []
  page.on('request', request => void (request.isNavigationRequest() && documents.push(request.url())))
  for (const [selected, sort, count] of [
    ['owner', 'full_name', 1],
    ['all', 'newest', 30],
    ['owner', 'oldest', 1],
  ] as const) {
    const pages = await hold(page, /_rsc=/)
    await call(url, 'PATCH', `/orgs/${org}`, { description: `A crowd, seen by ${selected}` }, owner)
    await pages.isAsked()
    await role.selectOption(selected)
    await expect(role).toHaveValue(selected, { timeout: 1_000 })
    await expect(rows).toHaveCount(count)
    await call(url, 'PATCH', `/orgs/${org}`, { description: `A crowd, changed for ${selected}` }, owner)
    await page.getByLabel('Sort by').selectOption(sort)
    await pages.release()
    const address = { sort, ...(selected === 'all' ? {} : { role: selected }) }
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(address)
    await expect(rows).toHaveCount(count)
  }
  expect(documents).toEqual([])
})

test('a filter selected just before hydration takes effect', async ({ page }) => {
  const { url, org, owner } = crowd
  await signIn(page, url, owner, password)
  await page.addInitScript(() => {
    const { replaceState } = History.prototype
    // After the router has rendered the page, it writes the URL to the history, and then checks the URL for
    // changes. The filter is selected between both.
    History.prototype.replaceState = function (...call) {
      replaceState.apply(this, call)
      History.prototype.replaceState = replaceState
      queueMicrotask(() => {
        const select = document.querySelector('search select')
        if (!(select instanceof HTMLSelectElement)) throw new Error('No choice is drawn')
        select.value = 'owner'
        select.dispatchEvent(new Event('change', { bubbles: true }))
      })
    }
  })
  await page.goto(`${url}/-/orgs/${org}/people`)
  await expect(page).toHaveURL(/\?role=owner$/)
  await expect(page.getByLabel('Role')).toHaveValue('owner')
  await expect(page.getByRole('region', { name: /members/i }).getByRole('listitem')).toHaveCount(1)
})
