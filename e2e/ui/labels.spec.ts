import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

test('a label of a repository can be created, edited, and deleted, and a program sees it', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, ada)
  const labels = () =>
    call<{ name: string }[]>(site.url, 'GET', `/repos/${ada}/engine/labels`, undefined, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine`)
  await page.getByRole('link', { name: 'Labels' }).click()
  await expect(page.getByRole('heading', { name: 'No labels yet' })).toBeVisible()
  await expect(page.getByText('stored for programs that use the API')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New label' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('kind/bug')
  await page.getByLabel('Color', { exact: true }).fill('red')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a color as six hexadecimal digits')).toBeVisible()
  await page.getByLabel('Color', { exact: true }).fill('#EE0701')
  await page.getByLabel('Exclusive').check()
  await expectAccessible(page)
  await page.getByLabel('Name').press('Enter')
  const list = page.getByRole('region', { name: 'Labels' })
  await expect(list.getByText('kind/bug')).toBeVisible()
  await expect(list.getByText('Exclusive')).toBeVisible()
  expect(await labels()).toMatchObject([{ name: 'kind/bug', color: 'ee0701', exclusive: true }])

  const edit = page.getByRole('button', { name: 'Edit kind/bug' })
  await edit.click()
  await page.getByLabel('Description (optional)').fill('Does not work')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save label' }).click()
  await expect(list.getByText('Does not work')).toBeVisible()
  await expect(edit).toBeFocused()

  await call(site.url, 'POST', `/repos/${ada}/engine/labels`, { name: 'from a program', color: 'fff' }, ada)
  await expect(list.getByText('from a program')).toBeVisible()
  await page.getByRole('button', { name: 'Delete kind/bug' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete label' }).click()
  await expect(edit).toBeHidden()
  expect(await labels()).toMatchObject([{ name: 'from a program' }])
})

test("an organization's labels are among its settings, and readers of a repository cannot change its labels", async ({
  page,
  site,
}) => {
  const grace = await makePerson(site.url, 'grace')
  const { org } = await makeTeam(site.url, grace)
  await call(site.url, 'POST', `/orgs/${org}/labels`, { name: 'shared', color: '0ab' }, grace)
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'open', issue_labels: 'Advanced' }, grace)
  await signIn(page, site.url, grace, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await page.getByRole('link', { name: 'Labels' }).click()
  await expect(page.getByText('shared')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Edit shared' }).click()
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto(`${site.url}/${org}/open/labels`)
  await expect(page.getByText('Kind/Bug', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Edit|Delete|New label/ })).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
})

test('topics are added and removed by keyboard, and lead to the repositories that have them', async ({
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'ada')
  for (const name of ['engine', 'wheels'])
    await call(site.url, 'POST', '/user/repos', { name, auto_init: true }, ada)
  await call(site.url, 'PUT', `/repos/${ada}/wheels/topics/steam-power`, undefined, ada)
  await signIn(page, site.url, ada, password)
  await page.goto(`${site.url}/${ada}/engine`)
  await page.getByRole('button', { name: 'Add topics' }).press('Enter')
  const field = page.getByRole('combobox', { name: 'Add a topic' })
  await expect(field).toBeFocused()
  await page.keyboard.type('steam engines')
  await expect(page.getByText('beginning with a letter or a digit')).toBeVisible()
  await expectAccessible(page)
  await field.fill('steam')
  await expect(page.getByRole('option', { name: /steam-power/ })).toContainText('1 repository')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const topics = page.getByRole('list', { name: 'Topics' })
  await expect(topics.getByText('steam-power')).toBeVisible()
  await expect(field).toHaveValue('')
  await page.keyboard.type('Trains')
  await page.keyboard.press('Enter')
  await expect(topics.getByText('trains')).toBeVisible()

  await page.getByRole('button', { name: 'Remove trains' }).press('Enter')
  await expect(topics.getByText('trains')).toBeHidden()
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(topics.getByText('trains')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expectAccessible(page)

  await topics.getByRole('link', { name: 'steam-power' }).click()
  await expect(page).toHaveURL(`${site.url}/explore?topic=steam-power`)
  const found = page.getByRole('region', { name: 'Repositories' }).getByRole('listitem')
  await expect(found.filter({ has: page.getByRole('heading') })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'trains' }).click()
  await expect(page.getByRole('heading', { name: `${ada}/wheels` })).toBeHidden()
  await expect(page.getByRole('heading', { name: `${ada}/engine` })).toBeVisible()
  await page.getByRole('link', { name: 'Show all repositories' }).click()
  await expect(page.getByRole('heading', { name: `${ada}/wheels` })).toBeVisible()
})

test('a page kept for visitors shows a new topic at once', async ({ request, site }) => {
  const ada = await makePerson(site.url, 'ada')
  await call(site.url, 'POST', '/user/repos', { name: 'kept' }, ada)
  const home = async () => await (await request.get(`${site.url}/${ada}/kept`)).text()
  for (const _ of [1, 2]) expect(await home()).not.toContain('first-topic')
  await call(site.url, 'PUT', `/repos/${ada}/kept/topics/first-topic`, undefined, ada)
  expect(await home()).toContain('/explore?topic=first-topic')
})
