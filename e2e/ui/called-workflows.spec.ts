import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { pushFiles } from './push'
import { expect, signIn, test } from './site'

const caller = `name: Deploy
on: [push, pull_request]
concurrency: production
permissions: { contents: read }
jobs:
  build:
    strategy: { matrix: { os: [linux, windows] } }
    runs-on: forge
    steps: [{ run: make }]
  publish:
    uses: ./.gitea/workflows/publish.yml
    with: { channel: stable }
`
const called = `on: { workflow_call: { inputs: { channel: { type: string, required: true } } } }
jobs:
  package:
    name: Package for \${{ inputs.channel }}
    runs-on: forge
    steps: [{ run: make dist }]
  upload:
    needs: package
    runs-on: forge
    steps: [{ run: make upload }]
`

test('a run shows the jobs of the workflows that it calls, and which run its concurrency group waits for', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'ada')
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  const path = `/${owner}/engine`
  await pushFiles(url, path, owner, {
    '.gitea/workflows/deploy.yml': caller,
    '.gitea/workflows/publish.yml': called,
  })
  await pushFiles(url, path, owner, { 'README.md': 'Changed' })
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/actions`)
  const runs = page.getByRole('link', { name: 'Change files' })
  // The run of the second push appears when it has started.
  await expect(runs).toHaveCount(2)
  await runs.first().click()

  const group = page.locator('dt', { hasText: 'Concurrency group' }).locator('..')
  await expect(group).toContainText('production')
  await expect(group).toContainText('in use by run #1')
  await expect(group).toContainText('waiting: this run')
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs.getByRole('link', { name: 'build (windows)', exact: true })).toBeVisible()
  const warning = page.getByRole('region', { name: 'Parts of the workflow have no effect' })
  await expect(warning).toContainText("'pull_request' never happens on this site")
  await expectAccessible(page)

  await group.getByRole('link', { name: 'run #1' }).click()
  await expect(jobs.getByText('calls ./.gitea/workflows/publish.yml')).toBeVisible()
  await expect(jobs.getByRole('link', { name: 'publish / Package for stable', exact: true })).toBeVisible()
  await expect(jobs.getByRole('link', { name: 'publish / upload' })).toBeVisible()
  await expectAccessible(page)
  await jobs.getByRole('link', { name: 'publish', exact: true }).click()
  await expect(page.getByText('Its jobs: 1 queued, 1 waiting.')).toBeVisible()
  await expect(page.getByText('Why is this job waiting?')).toHaveCount(0)
  await expect(page.locator('dt', { hasText: 'Token' })).toHaveCount(0)
  await page.goBack()
  await jobs.getByRole('link', { name: 'publish / Package for stable', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'publish / Package for stable', exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${url}${path}/actions`)
  await page.getByRole('link', { name: 'Workflows' }).click()
  await expect(page.getByText("'pull_request' never happens on this site")).toBeVisible()
})
