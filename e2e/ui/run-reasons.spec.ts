import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { createRun } from './runs'
import { expect, signIn, test } from './site'

const workflow = `on: workflow_dispatch
jobs:
  broken:
    if: fromJSON(github.event_name)
    runs-on: forge
    steps: [{ run: make }]
`

test('the run and the page of a failed job say once why it failed', async ({ page, site: { url } }) => {
  const owner = await makePerson(url, 'ada')
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  const path = `/${owner}/engine`
  const { id } = await createRun(url, owner, path, { workflow, title: 'Nightly' })
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/actions/runs/${id}`)
  const reason = "Error when evaluating 'if' for job 'broken'"
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs.getByText(`Failed: ${reason}`)).toBeVisible()
  await expectAccessible(page)
  await jobs.getByRole('link', { name: 'broken' }).click()
  await expect(page.getByRole('heading', { name: 'broken', level: 2 })).toBeVisible()
  await expect(page.getByText(reason)).toHaveCount(1)
})
