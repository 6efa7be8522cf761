import { expectAccessible } from './axe'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, test } from './site'

test("an organization's secret can be added, is never shown again, and is inherited by its repositories", async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await page.getByRole('link', { name: 'Secrets' }).click()
  await expect(page.getByRole('heading', { name: 'No secrets yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New secret' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('publish-token')
  await page.getByLabel('Value').fill('s3cret')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('Use only letters, numbers, and underscores')).toBeVisible()
  await page.getByLabel('Name').fill('publish_token')
  await expect(page.getByText('secrets.PUBLISH_TOKEN }}')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('PUBLISH_TOKEN', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Edit PUBLISH_TOKEN' }).click()
  await expect(page.getByLabel('New value (optional)')).toHaveValue('')
  await page.getByLabel('Description (optional)').fill('For the registry')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save secret' }).click()
  await expect(page.getByText('For the registry')).toBeVisible()
  const toggle = page.getByRole('button', { name: 'Edit PUBLISH_TOKEN' })
  await expect(toggle).toBeFocused()

  await toggle.click()
  await page.getByLabel('New value (optional)').fill('half a secr')
  await toggle.click()
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await toggle.click()
  await expect(page.getByLabel('New value (optional)')).toHaveValue('half a secr')
  await page.getByRole('button', { name: 'Save secret' }).click()
  await expect(page.getByLabel('New value (optional)')).toBeHidden()

  await page.goto(`${site.url}/${org}/engine/settings/actions/secrets`)
  const inherited = page.getByRole('region', { name: 'Inherited secrets' }).getByRole('listitem')
  await expect(inherited).toContainText(`From ${org}`)
  await call(site.url, 'PUT', `/repos/${org}/engine/actions/secrets/PUBLISH_TOKEN`, { data: 'x' }, owner)
  await expect(inherited).toContainText('Overridden')
  await page.getByRole('button', { name: 'Delete PUBLISH_TOKEN' }).click()
  await page.getByRole('button', { name: 'Delete secret' }).click()
  await expect(page.getByRole('heading', { name: 'No secrets yet' })).toBeVisible()
})

test('a variable is shown, and can be changed and renamed in place', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'grace')
  await signIn(page, site.url, owner, password)
  await call(site.url, 'POST', '/user/actions/variables/region', { value: 'eu-1' }, owner)
  await page.goto(`${site.url}/user/settings/actions/variables`)
  await expect(page.getByText('eu-1')).toBeVisible()
  await page.getByRole('button', { name: 'Edit REGION' }).click()
  await page.getByLabel('Name').fill('zone')
  await page.getByLabel('Value').fill('eu-2')
  await page.getByRole('button', { name: 'Save variable' }).click()
  await expect(page.getByText('ZONE', { exact: true })).toBeVisible()
  await expect(page.getByTitle('eu-2')).toBeVisible()
})
