import { packZip } from '@/testing/zip'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { call, makePerson, password } from './people'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

const workflow = `name: CI
on: workflow_dispatch
jobs:
  build:
    runs-on: ubuntu-latest
    steps: [{ run: make }]
  test:
    needs: build
    runs-on: [self-hosted, linux]
    steps: [{ run: make test }]
`

async function makeRepository(site: string): Promise<{ owner: string; path: string }> {
  const owner = await makePerson(site, 'ada')
  await call(site, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  return { owner, path: `/${owner}/engine` }
}

test("the pages of a repository's runs link to their jobs and artifacts, and update live", async ({
  page,
  site: { url },
}) => {
  const { owner, path } = await makeRepository(url)
  await signIn(page, url, owner, password)
  await page.goto(url + path)
  await page.getByRole('link', { name: /^Actions/ }).click()
  await expect(page.getByRole('heading', { name: 'No workflow runs yet' })).toBeVisible()
  await expect(page.getByText('.gitea/workflows/ci.yml')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText('No workflow runs yet')).toBeVisible()

  const run = await createRun(url, owner, path, { workflow, title: 'Build it all' })
  await page.goto(`${url}${path}/actions`)
  await page.getByRole('link', { name: 'Build it all' }).click()
  await isLive(page)
  const copyId = page.getByRole('button', { name: 'Copy run ID' })
  await expect(copyId).toBeHidden()
  await page.getByText('Details', { exact: true }).click()
  await expect(copyId).toBeVisible()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs.getByText('Waiting for a runner with ubuntu-latest')).toBeVisible()
  await expect(jobs.getByText('Waiting for build')).toBeVisible()
  await expect(page.getByText('No artifacts yet.')).toBeVisible()

  const build = await startJob(url, owner, path, run, 'build')
  await expect(jobs.getByText(/^Running, started/)).toBeVisible()
  await build.upload('results.json', 'application/json', '{"passed":41,"failed":1}')
  await expect(page.getByRole('link', { name: 'results.json', exact: true })).toBeVisible()
  await build.create('half.zip')
  await expect(page.getByText('Uploading…')).toBeVisible()
  await build.end('success')
  await expect(page.getByText('Uploading…')).toHaveCount(0)
  await expect(jobs.getByText('Waiting for a runner with self-hosted and linux')).toBeVisible()
  await expectAccessible(page)
  await page.getByText('workflow.yml').click()
  await expect(page.getByText('runs-on: [self-hosted, linux]')).toBeVisible()

  await page.goto(`${url}${path}/actions`)
  await page.getByLabel('Status').selectOption('Failed')
  await expect(page).toHaveURL(/status=failure/)
  await expect(page.getByRole('heading', { name: 'No matching runs' })).toBeVisible()
  await page.getByLabel('Status').selectOption('Not completed')
  await expect(page.getByRole('link', { name: 'Build it all' })).toBeVisible()
})

test('an artifact is previewed without running its scripts, and a zip can be browsed file by file', async ({
  page,
  browser,
  site: { url },
}) => {
  const { owner, path } = await makeRepository(url)
  const run = await createRun(url, owner, path, { workflow, title: 'Report' })
  const job = await startJob(url, owner, path, run, 'build')
  const attack = '<script>document.title = "attacked"</script><img src=x onerror="document.title = 1">'
  await job.upload('results.json', 'application/json', '{"passed":41,"names":["a","b"]}')
  await job.upload('page.html', 'text/html', attack)
  await job.upload('\u202eevil', 'text/plain', '')
  await job.upload('chart.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await job.upload(
    'report',
    'application/zip',
    packZip([
      { name: 'logs/build.log', bytes: '\u001b[32mok\u001b[0m built', deflated: true },
      { name: 'logs/deep/für #1.txt', bytes: 'found', deflated: true },
      { name: 'index.html', bytes: attack },
    ]),
  )
  const at = `${url}${path}/actions/runs/${run.id}/artifacts`

  // Anyone can read the artifacts of a public repository.
  const reader = await browser.newPage()
  await reader.goto(`${at}/results.json`)
  await expect(reader.getByRole('region', { name: 'Preview of results.json' })).toContainText(
    '{\n  "passed": 41,\n  "names": [\n    "a",\n    "b"\n  ]\n}',
  )
  await reader.getByRole('button', { name: 'Source' }).click()
  await expect(reader.getByText('{"passed":41,"names":["a","b"]}')).toBeVisible()
  await expectAccessible(reader)
  await expect(reader.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await reader.close()

  await signIn(page, url, owner, password)
  await page.goto(`${at}/page.html`)
  await expect(page.getByText(attack)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  const preview = page.getByRole('region', { name: 'Preview of page.html' })
  const tools = [preview.getByRole('button').first(), preview.getByRole('link', { name: 'View raw' })]
  const [first, last] = await Promise.all(tools.map(tool => tool.boundingBox()))
  const middleOf = (box = first) => (box ? box.y + box.height / 2 : 0)
  expect(Math.abs(middleOf(first) - middleOf(last))).toBeLessThan(3)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(`${at}/chart.svg`)
  await expect(page.getByRole('img', { name: 'chart.svg' })).toBeVisible()
  await expect(page).toHaveTitle(`chart.svg · ${path.slice(1)} · Guildhall`)

  await page.goto(`${url}${path}/actions/runs/${run.id}`)
  await expect(page).toHaveTitle(`Report #1 · ${path.slice(1)} · Guildhall`)
  await page.getByRole('link', { name: '\\u202eevil', exact: true }).click()
  await expect(page.getByRole('heading', { name: '\\u202eevil' })).toBeVisible()
  await expect(page.getByText('This file is empty.')).toBeVisible()

  for (const absent of [`${at}/none`, `${url}${path}/actions/runs/${run.id + 1}`])
    expect((await page.request.get(absent)).status(), absent).toBe(404)

  await page.goto(`${at}/report`)
  const files = page.getByRole('region', { name: 'Files' })
  await expect(files.getByText('3 files')).toBeVisible()
  await page.getByLabel('Find a file in the zip').fill('FÜR')
  await page.getByRole('link', { name: 'logs/deep/für #1.txt', exact: true }).click()
  await expect(page.getByText('found', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('found', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'logs', exact: true }).click()
  await expect(files).toBeFocused()
  await page.getByRole('link', { name: 'build.log', exact: true }).click()
  await expect(page.getByText('ok built')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'deep', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All files' }).click()
  await page.getByRole('link', { name: 'index.html', exact: true }).click()
  await expect(page.getByText(attack)).toBeVisible()
  const href = (await files.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? ''
  const download = await page.request.get(url + href)
  expect([await download.text(), download.headers()['content-disposition']]).toEqual([
    attack,
    expect.stringContaining('attachment'),
  ])
})

test('several artifacts can be selected and deleted together, and the focus remains in the list', async ({
  page,
  site: { url },
}) => {
  const { owner, path } = await makeRepository(url)
  const run = await createRun(url, owner, path, { workflow, title: 'Many' })
  const job = await startJob(url, owner, path, run, 'build')
  for (const name of ['a', 'b', 'c', 'd']) await job.upload(name, 'text/plain', name.repeat(1024))
  await signIn(page, url, owner, password)
  await page.goto(`${url}${path}/actions/runs/${run.id}`)
  await page.getByLabel('Select all artifacts on this page').check()
  await page.getByLabel('Select b').uncheck()
  await page.getByLabel('Select d').uncheck()
  await page.getByRole('button', { name: 'Delete 2 artifacts' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('a, c')
  await expect(dialog).toContainText('frees up 2 KiB')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete 2 artifacts' }).click()
  await expect(page.getByText('Deleted 2 artifacts and freed up 2 KiB')).toBeVisible()
  await expect(page.getByRole('link', { name: /^[a-d]$/ })).toHaveText(['b', 'd'])
  await expect(page.locator('body')).not.toBeFocused()

  await page.getByRole('button', { name: 'Delete b' }).click()
  await dialog.getByRole('button', { name: 'Delete artifact' }).click()
  await expect(page.getByRole('link', { name: 'b', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete d' })).toBeFocused()
  await page.getByRole('link', { name: 'd', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await expect(tab.getByRole('heading', { name: 'd', exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete artifact' }).click()
  await expect(page).toHaveURL(`${url}${path}/actions/runs/${run.id}`)
  await expect(page.getByText('No artifacts yet.')).toBeVisible()
  for (const left of [tab, page]) {
    if (left === page) await page.goBack()
    await expect(left.getByText('This artifact was deleted')).toBeVisible()
    await expect(left.getByRole('link', { name: 'Download' })).toHaveCount(0)
  }
})
