import { createFakeRunner } from '@/testing/fake-runner'
import { call, makePerson, password } from './people'
import { createRun } from './runs'
import { expect, signIn, test } from './site'

test('a token for Git created from an empty repository links back to the repository', async ({
  page,
  site: { url },
}) => {
  const person = await makePerson(url, 'nell')
  await call(url, 'POST', '/user/repos', { name: 'hello' }, person)
  await signIn(page, url, person, password)
  await page.goto(`${url}/${person}/hello`)
  await page.getByRole('link', { name: 'Create an access token' }).click()

  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('git for hello')
  const rights = page.getByRole('group', { name: 'Repositories' })
  await expect(rights.getByLabel('Read and write')).toBeChecked()
  await page.getByRole('button', { name: 'Create token' }).click()
  const banner = page.getByRole('region', { name: 'Copy the token “git for hello” now', exact: true })
  await expect(banner.getByText(`/${person}/hello.git HEAD`)).toBeVisible()
  await expect(banner.getByText(person, { exact: true })).toBeVisible()
  // The form for the next token starts without values from this one.
  await expect(page).toHaveURL(`${url}/user/settings/tokens`)
  await banner.getByRole('link', { name: `Back to ${person}/hello` }).click()
  await expect(page).toHaveURL(`${url}/${person}/hello`)
})

test('the query parameters that preset a new token are removed when the form closes', async ({
  page,
  site: { url },
}) => {
  const person = await makePerson(url, 'nell')
  await signIn(page, url, person, password)
  const tokens = `${url}/user/settings/tokens`
  await page.goto(`${tokens}?sort=name&add=1&name=api&repository=write&user=read`)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('api')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`${tokens}?sort=name`)
  await page.getByRole('button', { name: 'New token' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await expect(page.getByLabel('Read and write').first()).not.toBeChecked()
})

test('a single button gives a new token the permissions that Git needs', async ({ page, site: { url } }) => {
  const person = await makePerson(url, 'nell')
  await signIn(page, url, person, password)
  // Invalid repository names are ignored.
  await page.goto(`${url}/user/settings/tokens?add=1&git=${encodeURIComponent('//evil.test/x y')}`)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.getByLabel('Name', { exact: true }).fill('laptop')
  await page.getByRole('button', { name: 'Use with Git' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  const banner = page.getByRole('region', { name: 'Copy the token “laptop” now', exact: true })
  await expect(banner.getByText('git push', { exact: true })).toBeVisible()
  await expect(banner.getByText(/^Back to/)).toHaveCount(0)
})

test('a waiting job links to the setup of a suitable runner only for people who can add runners', async ({
  page,
  site: { url },
}) => {
  const [owner, reader] = [await makePerson(url, 'nell'), await makePerson(url, 'ron')]
  await call(url, 'POST', '/user/repos', { name: 'engine' }, owner)
  const workflow = 'on: push\njobs:\n  train: {runs-on: [gpu, linux], steps: [{run: make}]}'
  const path = `/${owner}/engine`
  const run = await createRun(url, owner, path, { workflow, title: 'Train' })
  const job = `${url}${path}/actions/runs/${run.id}/jobs/${run.jobs.train}`
  // Without any runner, the link would point to the setup of the first runner.
  const { token } = await call<{ token: string }>(
    url,
    'POST',
    `/repos${path}/actions/runners/registration-token`,
    {},
    owner,
  )
  await createFakeRunner({ url }).register({ name: 'hammer', token, labels: ['anvil'] })
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/actions/runs/${run.id}`)
  await page.getByRole('link', { name: 'See why train is waiting' }).click()
  await expect(page).toHaveURL(job)
  await page.getByRole('link', { name: 'Add a runner with gpu, linux', exact: true }).click()
  await expect(page).toHaveURL(`${url}${path}/settings/actions/runners/new?labels=gpu%2Clinux`)
  await expect(page.getByRole('textbox', { name: 'Labels' })).toHaveValue('gpu:host, linux:host')
  await page.getByRole('link', { name: 'Docker' }).click()
  await expect(page.getByRole('textbox', { name: 'Labels' })).toHaveValue(/^gpu:docker:\/\/.*, linux:docker:/)
  await page.goto(`${url}${path}/settings/actions/runners`)
  await page.getByRole('link', { name: 'Add a runner', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Labels' })).toHaveValue('gpu:host, linux:host')

  await page.context().clearCookies()
  await signIn(page, url, reader, password)
  await page.goto(job)
  await expect(page.getByRole('heading', { name: 'Why is this job waiting?' })).toBeVisible()
  await expect(page.getByRole('link', { name: /a runner/ })).toHaveCount(0)
})
