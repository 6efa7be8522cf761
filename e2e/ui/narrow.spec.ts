import { call, makePerson, makeTeam, password } from './people'
import { createRun } from './runs'
import { expect, signIn, test } from './site'

test('a long name in a button wraps at 320 pixels instead of widening the page', async ({
  page,
  site: { url },
}) => {
  const long = 'w'.repeat(80)
  const owner = await makePerson(url, 'w'.repeat(36))
  const { org } = await makeTeam(url, owner)
  const draft = { tag_name: long, draft: true }
  await call(url, 'POST', `/repos/${org}/engine/releases`, draft, owner)
  const workflow = `on: push\njobs:\n  train: {runs-on: [${long}], steps: [{run: make}]}`
  const run = await createRun(url, owner, `/${org}/engine`, { workflow, title: 'Train' })
  await signIn(page, url, owner, password)
  await page.setViewportSize({ width: 320, height: 700 })
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)

  await page.goto(`${url}/${org}/engine/releases/edit/${long}`)
  await expect(page.getByRole('button', { name: `Publish and create tag ${long}` })).toBeVisible()
  expect(await width()).toBe(320)

  await page.goto(`${url}/${org}/engine/actions/runs/${run.id}/jobs/${run.jobs.train}`)
  await expect(page.getByRole('link', { name: /Set up a runner|Add a runner with/ })).toBeVisible()
  expect(await width()).toBe(320)

  await page.goto(`${url}/-/new`)
  await page.getByLabel('Repository name').fill(`${long} ${long.slice(0, 15)}`)
  await expect(page.getByRole('button', { name: /^Use / })).toBeVisible()
  expect(await width()).toBe(320)
})

test('the list of browser sessions and the variables inherited from an owner with a long name fit into 320 pixels', async ({
  page,
  browser,
  site: { url },
}) => {
  const owner = await makePerson(url, 'v'.repeat(36))
  await call(url, 'POST', '/user/repos', { name: 'engine' }, owner)
  await call(url, 'POST', '/user/actions/variables/REGION', { value: 'north' }, owner)
  await signIn(page, url, owner, password)
  const elsewhere = await browser.newPage()
  await signIn(elsewhere, url, owner, password)
  await elsewhere.context().close()
  await page.setViewportSize({ width: 320, height: 700 })
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)

  await page.goto(`${url}/user/settings/sessions`)
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible()
  expect(await width()).toBe(320)

  await page.goto(`${url}/${owner}/engine/settings/actions/variables`)
  await expect(page.getByText(`From ${owner}`)).toBeVisible()
  expect(await width()).toBe(320)
})
