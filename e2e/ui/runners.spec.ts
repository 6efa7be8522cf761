import { createFakeRunner, type FakeRunner } from '../../testing/fake-runner'
import { expectAccessible } from './axe'
import { hold } from './hold'
import { isLive } from './live'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

const workflow = 'on: push\njobs:\n  build: { runs-on: linux, steps: [{ run: make }] }'

/** Registers a runner with a token and lets it declare its labels. */
async function connect(url: string, token: string, name: string, labels: string[]): Promise<FakeRunner> {
  const runner = createFakeRunner({ url })
  await runner.register({ name, token, labels })
  await runner.declare(labels)
  return runner
}

test('a runner can be set up with the commands on a page, which shows when the runner has connected', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/user/settings/profile`)
  await page.getByRole('link', { name: 'Runners' }).click()
  await expect(page.getByRole('heading', { name: 'No runners yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New runner' }).click()
  const register = page.getByRole('region', { name: 'Register' })
  await expect(register).toContainText('--instance http://localhost:')
  await page.getByRole('textbox', { name: 'Labels' }).fill('linux:host, gpu')
  await expect(register).toContainText('--labels linux:host,gpu')
  await expectAccessible(page)
  const [, token = ''] = /--token (\w+)/.exec((await register.textContent()) ?? '') ?? []
  const arrivals = page.getByRole('region', { name: 'Connected runners' })
  await expect(arrivals).toContainText('Waiting for a runner to register')
  await isLive(page)

  const runner = createFakeRunner(site)
  await runner.register({ name: 'laptop', token, labels: ['linux', 'gpu'] })
  await expect(arrivals).toContainText('laptop is registered. Now start it.')
  await runner.declare(['linux', 'gpu'], { version: '1.2.3' })
  const nothing = runner.fetchTask({ headers: { 'connect-timeout-ms': '1500' } })
  await expect(arrivals).toContainText('laptop is connected, version 1.2.3')
  await expect(arrivals.getByText('Idle')).toBeVisible()
  await expectAccessible(page)
  await nothing

  await page.getByRole('link', { name: 'systemd' }).click()
  await expect(page.getByText('systemctl enable --now')).toBeVisible()
  await expect(arrivals).toContainText('laptop is connected')
  await page.getByRole('button', { name: 'Reset token' }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Reset token' })
    .click()
  await expect(register).not.toContainText(token)
  await expect(arrivals).toContainText('laptop is connected')
  await expect(runner.register({ name: 'late', token, labels: [] })).rejects.toThrow()

  const [, second = ''] = /--token (\w+)/.exec((await register.textContent()) ?? '') ?? []
  await call(site.url, 'POST', '/user/actions/runners/registration-token/reset', {}, owner)
  await expect(register).not.toContainText(second)
})

test('a paused runner gets no jobs, which are shown as waiting, and runs them once it is resumed', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'grace')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  const at = '/user/actions/runners'
  const { token } = await call<{ token: string }>(site.url, 'POST', `${at}/registration-token`, {}, owner)
  const runner = await connect(site.url, token, 'press', ['linux'])
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/user/settings/actions/runners`)
  const row = page.getByRole('region', { name: 'Runners' }).getByRole('listitem').filter({ hasText: 'press' })
  await expect(row.getByText('Idle')).toBeVisible()
  await page.getByRole('button', { name: 'Pause press' }).click()
  await page.getByLabel('Note (optional)').fill('New ink')
  await page.getByLabel('Duration').selectOption('1 hour')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pause runner' }).click()
  await expect(row).toContainText(
    new RegExp(`Paused by ${owner} just now, resumes in (59 minutes|60 minutes|1 hour): New ink`),
  )
  await expect(page.getByRole('button', { name: 'Resume press' })).toBeFocused()
  await page.getByText('What the states mean').click()
  await expect(page.getByText('Doesn’t get new jobs.')).toBeVisible()

  await call(site.url, 'POST', `/repos/${owner}/engine/actions/runs`, { workflow }, owner)
  const nothing = runner.fetchTask({ headers: { 'connect-timeout-ms': '1500' } })
  await page.reload()
  const waiting = page.getByRole('region', { name: 'Waiting jobs' })
  await expect(waiting).toContainText('1 job')
  await expect(waiting).toContainText('No available runners have these labels.')
  await expectAccessible(page)
  expect(await nothing).toBeUndefined()

  const fetched = runner.fetchTask()
  await page.getByRole('button', { name: 'Resume press' }).click()
  const task = (await fetched) ?? (await runner.fetchTask())
  await expect(row.getByText('Busy')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pause press' })).toBeFocused()
  await expect(row).toContainText(`Running build in ${owner}/engine`)

  await page.getByRole('button', { name: 'Pause press' }).click()
  await page.getByLabel('Note (optional)').fill('Mine')
  const { runners } = await call<{ runners: { id: number }[] }>(site.url, 'GET', at, undefined, owner)
  const one = `${at}/${runners[0]?.id}`
  await call(site.url, 'PATCH', one, { disabled: true, note: 'Theirs' }, owner)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Paused by ${owner} just now: Theirs`)
  await expect(page.getByLabel('Note (optional)')).toHaveValue('Mine')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await call(site.url, 'PATCH', one, { disabled: false }, owner)
  await expect(page.getByRole('button', { name: 'Pause press' })).toBeVisible()
  await expect(dialog).toBeHidden()
  await row.getByRole('link', { name: 'press' }).click()
  await expect(page.getByRole('heading', { name: 'press', level: 1 })).toBeVisible()
  if (task) await runner.take(task).finish()
  await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('Took')
})

test("editing a runner's labels shows a preview, and deleting it shows which jobs need it", async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'mary')
  await call(site.url, 'POST', '/user/repos', { name: 'engine', auto_init: true }, owner)
  const at = '/user/actions/runners'
  const { token } = await call<{ token: string }>(site.url, 'POST', `${at}/registration-token`, {}, owner)
  const runner = await connect(site.url, token, 'loom', ['arm64'])
  await call(site.url, 'POST', `/repos/${owner}/engine/actions/runs`, { workflow }, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/user/settings/actions/runners`)
  await page.getByRole('link', { name: 'loom' }).click()
  await expect(page).toHaveTitle('loom · Runner · Guildhall')
  await page.getByRole('textbox', { name: 'Labels' }).fill('arm64, linux')
  await expect(
    page.getByText('With these labels, the runner can run 1 waiting job instead of 0.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save labels' }).click()
  await expect(page.getByText('Edited here. The runner itself declares these:')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save labels' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Labels' }).fill('another draft')
  await page.getByRole('button', { name: 'Use declared labels' }).click()
  await expect(page.getByRole('textbox', { name: 'Labels' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Labels' })).toHaveValue('arm64')
  await expect(page.getByRole('button', { name: 'Use declared labels' })).toBeHidden()
  // Stops requests in progress, which would otherwise be held along with later ones.
  await page.reload()

  const jobs = await hold(page, /runners\.manage\.listJobs/)
  await page.getByRole('textbox', { name: 'Labels' }).fill('arm64, linux')
  await page.getByRole('button', { name: 'Save labels' }).click()
  await page.getByRole('button', { name: 'Use declared labels' }).click()
  await expect(page.getByText('loom now uses its declared labels')).toBeVisible()
  await jobs.release()
  await expect(page.getByText('Saved the labels of loom')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Labels' })).toHaveValue('arm64')

  await page.getByRole('textbox', { name: 'Labels' }).fill('arm64, linux')
  await page.getByRole('button', { name: 'Save labels' }).click()
  await expect(page.getByText('Edited here. The runner itself declares these:')).toBeVisible()

  await page.getByRole('button', { name: 'Delete runner' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('1 waiting job will lose its only runner.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete runner' }).click()
  await expect(page.getByRole('heading', { name: 'No runners yet' })).toBeVisible()
  await expect(runner.declare(['arm64'])).rejects.toThrow('unregistered runner')
})
