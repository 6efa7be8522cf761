import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { createRun } from './runs'
import { expect, signIn, test } from './site'

async function makeRepository(url: string): Promise<{ owner: string; path: string }> {
  const owner = await makePerson(url, 'ada')
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  return { owner, path: `/${owner}/engine` }
}

test('the run and the page of a failed job say once why it failed', async ({ page, site: { url } }) => {
  const { owner, path } = await makeRepository(url)
  const workflow = `on: workflow_dispatch
jobs:
  broken:
    if: fromJSON(github.event_name)
    runs-on: forge
    steps: [{ run: make }]
`
  const { id } = await createRun(url, owner, path, { workflow, title: 'Broken' })
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/actions/runs/${id}`)
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs.getByText("fromJSON(github.event_name)' fails", { exact: false })).toBeVisible()
  await expectAccessible(page)
  await jobs.getByRole('link', { name: 'broken' }).click()
  await expect(page.getByRole('heading', { name: 'broken' })).toBeVisible()
  await expect(page.getByText('fromJSON(github.event_name)', { exact: false })).toHaveCount(1)
})
