import { createFakeRunner, type FakeRunner, type FakeTask, Result } from '@/testing/fake-runner'
import { expectAccessible } from './axe'
import { call, makePerson, password } from './people'
import { pushFiles } from './push'
import { createRun, type StartedRun } from './runs'
import { expect, signIn, test } from './site'

const workflow = `name: CI
on: workflow_dispatch
jobs:
  build:
    runs-on: forge
    steps:
      - { name: Compile, run: make }
      - { run: make install }
  deploy:
    needs: build
    runs-on: forge
    steps: [{ run: make deploy }]
`

interface World {
  owner: string
  /** URL path of the repository. */
  path: string
  run: StartedRun
  runner: FakeRunner
  pageOf(job: string): string
}

async function makeRepository(site: string): Promise<{ owner: string; path: string }> {
  const owner = await makePerson(site, 'ada')
  await call(site, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  return { owner, path: `/${owner}/engine` }
}

async function makeRunner(site: string, owner: string): Promise<FakeRunner> {
  const { token } = await call<{ token: string }>(
    site,
    'POST',
    '/user/actions/runners/registration-token',
    {},
    owner,
  )
  const runner = createFakeRunner({ url: site })
  await runner.register({
    token,
    name: 'robin',
    labels: ['forge'],
    version: '1.0.0',
    capabilities: ['cancelling'],
  })
  await runner.declare(['forge'], { capabilities: ['cancelling'] })
  return runner
}

async function makeWorld(site: string): Promise<World> {
  const { owner, path } = await makeRepository(site)
  const run = await createRun(site, owner, path, { workflow, title: 'Ship it' })
  const runner = await makeRunner(site, owner)
  const pageOf = (job: string) => `${site}${path}/actions/runs/${run.id}/jobs/${run.jobs[job]}`
  return { owner, path, run, runner, pageOf }
}

async function takeTask(runner: FakeRunner): Promise<FakeTask> {
  for (;;) {
    const task = await runner.fetchTask()
    if (task) return runner.take(task)
  }
}

const step = (id: number, logIndex: number, logLength: number, result = Result.UNSPECIFIED) => ({
  id: BigInt(id),
  logIndex: BigInt(logIndex),
  logLength: BigInt(logLength),
  result,
  startedAt: { seconds: 1_780_000_000n + BigInt(10 * id), nanos: 0 },
  ...(result === Result.UNSPECIFIED
    ? {}
    : { stoppedAt: { seconds: 1_780_000_005n + BigInt(10 * id), nanos: 0 } }),
})

test('a run shows which parts of its workflow have no effect', async ({ site, page, context }) => {
  const { owner, path } = await makeWorld(site.url)
  await signIn(context, site.url, owner, password)
  const events = "on: { workflow_dispatch: , schedule: [{ cron: '0 0 * *' }] }"
  const run = await createRun(site.url, owner, path, {
    workflow: workflow.replace('on: workflow_dispatch', events),
    title: 'Ship it',
  })
  await page.goto(`${site.url}${path}/actions/runs/${run.id}`)
  const warning = page.getByRole('region', { name: 'Parts of the workflow have no effect' })
  await expect(warning).toContainText("line 2, column 39: '0 0 * *' is not a valid cron pattern.")
  await expectAccessible(page)
})

test('the page of a job shows its growing log by steps, and its outcome', async ({
  page,
  browser,
  site: { url },
}) => {
  const { owner, path, run, runner, pageOf } = await makeWorld(url)
  await signIn(page, url, owner, password)
  await page.clock.install()
  await page.goto(`${url}${path}/actions/runs/${run.id}`)
  await page.getByRole('link', { name: 'build', exact: true }).click()
  const why = page.getByRole('region', { name: 'Why is this job waiting?' })
  await expect(why).toContainText('1 runner can take the job')
  const { runners } = await call<{ runners: { id: number }[] }>(
    url,
    'GET',
    '/user/actions/runners',
    undefined,
    owner,
  )
  const robin = `/user/actions/runners/${runners[0]?.id}`
  await call(url, 'PATCH', robin, { disabled: true, note: 'New disk' }, owner)
  // No live event reports changes to runners, so the page polls.
  await page.clock.fastForward(10_000)
  await expect(why).toContainText("The only runner with the job's labels is paused.")
  await expect(why.getByRole('list', { name: 'Runners' })).toContainText('Paused: New disk.')
  await expectAccessible(page)
  await call(url, 'PATCH', robin, { disabled: false }, owner)

  const task = await takeTask(runner)
  await task.log('Preparing the machine')
  await expect(page.getByText('Preparing the machine')).toBeVisible()
  await expect(page.getByText('robin')).toBeVisible()
  await task.report({ steps: [step(0, 1, 0)] })
  await task.log('::group::Run make', 'shell: bash', '::endgroup::', '\u001b[32mcc\u001b[0m -o engine')
  const compile = page.getByRole('region', { name: 'Compile' })
  await expect(compile.getByText('cc -o engine')).toBeVisible()
  await expect(compile.getByText('shell: bash')).toHaveCount(0)
  await compile.getByRole('button', { name: /Run make/ }).click()
  await expect(compile.getByText('shell: bash')).toBeVisible()
  await expect(page.getByText('Preparing the machine')).toHaveCount(0)
  await expectAccessible(page)

  await task.log(
    '::warning file=main.c,line=3::unused%0Avariable',
    '<img src=x onerror="document.title=1">',
    '::debug::quiet',
  )
  await expect(compile.getByText('Warning: main.c:3 unused')).toBeVisible()
  await expect(compile.getByText('<img src=x onerror="document.title=1">')).toBeVisible()
  await task.log('::error::It broke')
  await task.finish({
    result: Result.FAILURE,
    steps: [step(0, 1, 8, Result.FAILURE), { ...step(1, 9, 0, Result.SKIPPED) }],
  })
  await expect(compile.getByText('Error: It broke')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'build' }).locator('..').getByLabel('Failed')).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  const text = await page.request.get(
    url + (await page.getByRole('link', { name: 'Download log' }).getAttribute('href')),
  )
  expect(await text.text()).toContain('Z ::error::It broke\n')

  // Readers of a public repository also see the log, but can't change anything.
  const reader = await browser.newPage()
  await reader.goto(pageOf('build'))
  await expect(reader.getByText('Error: It broke')).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Re-run jobs' })).toHaveCount(0)
  await reader.close()
})

test('two steps lead from a repository to the line of the log that shows why its newest commit failed', async ({
  page,
  site: { url },
}) => {
  const { owner, path } = await makeRepository(url)
  const runner = await makeRunner(url, owner)
  await pushFiles(url, path, owner, {
    '.gitea/workflows/ci.yml': workflow.replace('workflow_dispatch', 'push'),
    '.gitea/workflows/check.yml':
      'name: Check\non: push\njobs:\n  lint: {runs-on: forge, steps: [{run: make lint}]}\n',
  })
  for (let jobs = 0; jobs < 2; jobs++) {
    await runner.work(async task => {
      if (new TextDecoder().decode(task.task.workflowPayload).includes('make lint')) return {}
      await task.log('prepares', ...Array.from({ length: 200 }, (_, at) => `compiles ${at + 1}`))
      await task.log('::error::engine.c is missing', 'ends')
      await task.log(...Array.from({ length: 100 }, (_, at) => `cleans ${at + 1}`))
      return {
        result: Result.FAILURE,
        steps: [step(0, 1, 202, Result.FAILURE), { ...step(1, 203, 0, Result.SKIPPED) }],
      }
    })
  }

  await page.setViewportSize({ width: 1280, height: 720 })
  const line = page.getByText('Error: engine.c is missing')
  const expectLine = async () => {
    await expect(line).toBeInViewport()
    await expect(page.locator('[data-selected]')).toContainText('engine.c is missing')
    await expect(page).toHaveURL(/\/jobs\/\d+#L202$/)
    await expect(page.getByRole('link', { name: 'Line 202', exact: true })).toBeFocused()
  }
  const mark = page.getByRole('link', { name: /^Some checks failed/ })
  const failed = page.getByRole('list', { name: 'Checks' }).getByRole('listitem').first().getByRole('link')
  await page.goto(url + path)
  await mark.click()
  await failed.click()
  await expectLine()
  await expectAccessible(page)

  await page.goto(url + path)
  await mark.press('Enter')
  await expect(page).toHaveURL(/\/commit\//)
  await failed.press('Enter')
  await expectLine()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Compile' })).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(url + path)
  await mark.click()
  await failed.click()
  await expectLine()
})

test('a growing log keeps its scroll position when the reader opens a step, until they follow the log', async ({
  page,
  site: { url },
}) => {
  const { owner, runner, pageOf } = await makeWorld(url)
  await signIn(page, url, owner, password)
  const task = await takeTask(runner)
  await task.log(...Array.from({ length: 60 }, (_, at) => `prepares ${at + 1}`))
  await task.report({ steps: [step(0, 60, 0)] })
  await task.log('begins')
  await page.goto(pageOf('build'))
  await expect(page.getByText('begins')).toBeVisible()
  const first = page.getByText('prepares 1', { exact: true })
  await page.getByRole('button', { name: /Set up job/ }).click()
  await expect(first).toBeVisible()
  await task.log('goes on')
  await expect(page.getByText('goes on')).toBeAttached()
  await expect(first).toBeInViewport()
  await page.getByRole('button', { name: 'Follow log' }).click()
  await expect(page.getByText('goes on')).toBeInViewport()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('region', { name: 'Compile' }).locator(':focus')).toHaveCount(1)

  // The search also keeps its position.
  const search = page.getByLabel('Search the log')
  await search.fill('prepares')
  await expect(page.getByText('60 lines')).toBeVisible()
  await search.press('Enter')
  await search.press('Enter')
  await expect(page.getByText('2 of 60')).toBeVisible()
  await task.log('prepares more')
  await expect(page.getByText('2 of 61')).toBeVisible()
  await search.press('Enter')
  await expect(page.getByText('3 of 61')).toBeVisible()
})

test('a log that failed to load shows an error and can be loaded again', async ({ page, site: { url } }) => {
  const { runner, pageOf } = await makeWorld(url)
  const task = await takeTask(runner)
  await task.log('prepares')
  await task.finish({ steps: [step(0, 1, 0, Result.SUCCESS), step(1, 1, 0, Result.SUCCESS)] })
  await page.route(/logRows/, route => route.abort())
  await page.goto(pageOf('build'))
  await page.getByRole('button', { name: /Set up job/ }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'Couldn’t load the log.' })
  await expect(problem).toBeVisible()
  await expect(page.getByText('This step has no output.')).toHaveCount(0)
  await expectAccessible(page)
  await page.unroute(/logRows/)
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('prepares')).toBeVisible()
  await expect(problem).toHaveCount(0)
})

test('a link can point to lines of a log, and the search finds them', async ({ page, site: { url } }) => {
  const { runner, pageOf } = await makeWorld(url)
  const task = await takeTask(runner)
  const rows = Array.from({ length: 3000 }, (_, at) =>
    at === 1000 ? '::group::Many' : at === 2900 ? '::endgroup::' : `line ${at + 1} of many`,
  )
  for (let at = 0; at < rows.length; at += 1000) await task.log(...rows.slice(at, at + 1000))
  await task.finish({ steps: [step(0, 0, 3000, Result.SUCCESS), step(1, 3000, 0, Result.SUCCESS)] })

  // Line 2000 is in a closed step and a collapsed group.
  await page.goto(`${pageOf('build')}#L2000-L2002`)
  await expect(page.getByText('line 2000 of many')).toBeInViewport()
  await expect(page.locator('[data-selected]')).toHaveCount(3)
  const drawn = await page.locator('[id^="L"]').count()
  expect(drawn).toBeLessThan(800)
  await page.getByRole('link', { name: 'Line 2003', exact: true }).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/#L2000-L2003$/)
  await page.getByRole('link', { name: 'Line 1999', exact: true }).click()
  await expect(page).toHaveURL(/#L1999$/)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Line 2000', exact: true })).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/#L1999-L2000$/)
  await page.keyboard.press('End')
  await expect(page.getByRole('link', { name: 'Line 3000', exact: true })).toBeFocused()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy link to lines' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())

  await page.keyboard.press('/')
  const search = page.getByLabel('Search the log')
  await expect(search).toBeFocused()
  await search.fill('LINE 29')
  await expect(page.getByText(/^110 lines$/)).toBeVisible()
  await search.press('Enter')
  await expect(page.getByText('line 29 of many')).toBeInViewport()
  await expect(page.getByText('1 of 110')).toBeVisible()
  await search.press('Shift+Enter')
  await expect(page.getByText('line 2999 of many')).toBeInViewport()
  await expect(page.locator('mark').first()).toBeVisible()
  await expectAccessible(page)
  await search.fill('nowhere')
  await expect(page.getByText('No matches')).toBeVisible()

  await page.getByRole('button', { name: 'Show timestamps' }).click()
  await expect(page.locator('#L2999 time')).toBeVisible()
  await page.reload()
  await expect(page.locator('#L2999 time')).toBeVisible()
})

test('a run can be canceled after a confirmation, and its jobs can be re-run', async ({
  page,
  browser,
  site: { url },
}) => {
  const { owner, runner, pageOf, path, run } = await makeWorld(url)
  await signIn(page, url, owner, password)
  const task = await takeTask(runner)
  await task.report()
  // Without a session there are no live updates, so the page polls.
  const reader = await browser.newPage()
  await reader.goto(`${url}${path}/actions/runs/${run.id}`)
  await expect(reader.getByText('1 running, 1 waiting')).toBeVisible()
  await page.goto(pageOf('build'))
  await page.getByRole('button', { name: 'Cancel run' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('1 running job will be asked to stop, and 1 waiting job won’t start.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep it running' }).click()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await dialog.getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByText('Canceling', { exact: true })).toBeVisible()
  const answer = await task.report()
  expect(answer.state?.result).toBe(Result.CANCELLED)
  await task.finish({ result: Result.CANCELLED })
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible()
  await expect(reader.getByText('2 canceled')).toBeVisible()
  await reader.close()

  await expect(page.getByRole('button', { name: 'Re-run jobs' })).toBeFocused()
  await page.getByRole('button', { name: 'Re-run jobs' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Re-run this job and jobs that need it',
    'Re-run failed and canceled jobs',
    'Re-run all jobs',
  ])
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Re-run failed and canceled jobs' }).click()
  await expect(page).toHaveURL(`${url}${path}/actions/runs/${run.id}`)
  await expect(page.getByLabel('Attempt')).toHaveValue('2')
  await expect(page.getByText('Waiting for a runner with forge')).toBeVisible()
  await runner.work()
  await runner.work()
  await expect(page.getByText('2 succeeded')).toBeVisible()
  await page.goto(pageOf('build'))
  await page.getByRole('link', { name: 'Show the latest' }).click()
  await expect(
    page.getByRole('heading', { name: 'build' }).locator('..').getByLabel('Succeeded'),
  ).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const others = page.getByRole('navigation', { name: 'Jobs in this run' })
  await expect(others.getByRole('link')).toHaveCount(0)
  await others.getByRole('button', { name: 'Other jobs' }).click()
  await expectAccessible(page)
  await others.getByRole('link', { name: 'deploy' }).click()
  await expect(page.getByRole('heading', { name: 'deploy', exact: true })).toBeVisible()
})

const startable = `name: Deploy
on:
  workflow_dispatch:
    inputs:
      target: { description: Where to, type: choice, options: [staging, production], required: true }
      dry: { description: Only try it, type: boolean, default: true }
      count: { type: number }
jobs:
  deploy:
    runs-on: forge
    steps: [{ run: make deploy }]
`

test('a workflow can be disabled, enabled, and started with inputs, and its run can be deleted', async ({
  page,
  site: { url },
}) => {
  const owner = await makePerson(url, 'ada')
  await call(url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  await pushFiles(url, `/${owner}/engine`, owner, {
    '.gitea/workflows/deploy.yml': startable,
    '.gitea/workflows/empty.yml': '',
  })
  await signIn(page, url, owner, password)
  await page.goto(`${url}/${owner}/engine/actions`)
  await page.getByRole('link', { name: 'Workflows' }).click()
  await page.getByRole('button', { name: 'Disable Deploy' }).click()
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Run Deploy' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Enable Deploy' }).click()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Run Deploy' }).click()
  const form = page.getByRole('region', { name: 'Run a workflow' })
  await expect(form.getByLabel('Workflow')).toContainText('Deploy (deploy.yml)')
  await expect(form.getByRole('option', { name: 'empty.yml: invalid' })).toBeDisabled()
  await form.getByLabel('Where to').selectOption('production')
  await expect(form.getByLabel('Only try it')).toBeChecked()
  await form.getByLabel('Only try it').uncheck()
  await form.getByLabel('count').fill('many')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Run workflow' }).click()
  await expect(form.getByText('Enter a number, such as 3 or -0.5.')).toBeVisible()
  await expect(form.getByLabel('count')).toBeFocused()
  await expect(form.getByLabel('count')).toHaveAccessibleDescription(/Enter a number/)
  await form.getByLabel('Branch or tag').fill('none')
  await expect(form.getByText('No branch or tag "none".')).toBeVisible()
  await form.getByLabel('Branch or tag').fill('main')
  await expect(form.getByText('No branch or tag')).toHaveCount(0)
  await expect(form.getByLabel('count')).toHaveValue('many')
  await expect(form.getByLabel('Where to')).toHaveValue('production')
  await expect(form.getByText('Enter a number')).toHaveCount(0)
  await form.getByLabel('count').fill('x')
  await form.getByRole('button', { name: 'Run workflow' }).click()
  await expect(form.getByText('Enter a number')).toBeVisible()
  await form.getByLabel('count').fill('3')
  await expect(form.getByText('Enter a number')).toHaveCount(0)
  await form.getByRole('button', { name: 'Run workflow' }).click()
  await expect(page).toHaveURL(/\/actions\/runs\/\d+$/)
  await expect(page.getByText('Waiting for a runner with forge')).toBeVisible()
  const tab = page.getByRole('navigation', { name: 'Repository' }).getByRole('link', { name: /^Actions/ })
  await expect(tab).toHaveText('Actions2')

  const run = page.url()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByRole('button', { name: 'Re-run jobs' })).toBeFocused()
  const other = await page.context().newPage()
  await other.goto(run)
  await page.getByRole('button', { name: 'Delete run' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete run' }).click()
  await expect(page).toHaveURL(/\/actions$/)
  await expect(tab).toHaveText('Actions1')
  await expect(page.getByRole('link', { name: 'Change files' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Deploy', exact: true })).toHaveCount(0)
  await expect(other.getByRole('heading', { name: 'This run no longer exists' })).toBeVisible()
  await other.close()
})
