import type { BrowserContext, Page } from '@playwright/test'
import { series } from '@/testing/series'
import { isLive } from './live'
import { call, makePerson, makeTeam, password } from './people'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

const workflow = 'on: push\njobs:\n  build: {runs-on: forge, steps: [{run: make}]}'

// Much shorter than the interval of one minute in which all streams are checked.
const soon = { timeout: 15_000 }

/** Opens each URL in a separate tab and waits until live updates are on in all of them. */
async function openAll(context: BrowserContext, urls: readonly string[]): Promise<Page[]> {
  const pages: Page[] = []
  for (const url of urls) {
    const page = await context.newPage()
    await page.goto(url)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    pages.push(page)
  }
  await Promise.all(pages.map(isLive))
  return pages
}

const isNothing = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Page not found' }), page.url()).toBeVisible(soon)

test('open pages of a person removed from an organization immediately hide what they can no longer see', async ({
  context,
  site: { url },
}) => {
  test.slow()
  const [owner, member] = [await makePerson(url, 'opal'), await makePerson(url, 'mila')]
  const { org, team } = await makeTeam(url, owner)
  await call(url, 'PUT', `/teams/${team}/repos/${org}/engine`, undefined, owner)
  await call(url, 'PUT', `/teams/${team}/members/${member}`, undefined, owner)
  await signIn(context, url, member, password)
  const [home, branches, teams, overview] = await openAll(context, [
    `${url}/${org}/engine`,
    `${url}/${org}/engine/branches`,
    `${url}/-/orgs/${org}/teams`,
    `${url}/${org}`,
  ])
  await expect(overview!.getByRole('main').getByText('engine').first()).toBeVisible()
  await expect(teams!.getByRole('main').getByText('core').first()).toBeVisible()

  await call(url, 'DELETE', `/orgs/${org}/members/${member}`, undefined, owner)
  await isNothing(home!)
  await isNothing(branches!)
  await isNothing(teams!)
  await expect(overview!.getByRole('main').getByText('engine')).toHaveCount(0, soon)
  expect(await home!.evaluate(() => 'isSame' in window)).toBe(true)
})

test('open pages of a repository immediately react when it is removed from a team, made private, or deleted', async ({
  context,
  site: { url },
}) => {
  test.slow()
  const [owner, member] = [await makePerson(url, 'opal'), await makePerson(url, 'mila')]
  const { org, team } = await makeTeam(url, owner)
  const asOwner = (method: string, path: string, body?: object) => call(url, method, path, body, owner)
  await asOwner('PUT', `/teams/${team}/repos/${org}/engine`)
  await asOwner('PUT', `/teams/${team}/members/${member}`)
  for (const name of ['wheels', 'brakes']) await asOwner('POST', `/orgs/${org}/repos`, { name })
  await signIn(context, url, member, password)
  const [engine, wheels, brakes, releases] = await openAll(context, [
    `${url}/${org}/engine`,
    `${url}/${org}/wheels`,
    `${url}/${org}/brakes`,
    `${url}/${org}/brakes/releases`,
  ])
  await asOwner('DELETE', `/teams/${team}/repos/${org}/engine`)
  await isNothing(engine!)
  await asOwner('PATCH', `/repos/${org}/wheels`, { private: true })
  await isNothing(wheels!)
  await asOwner('DELETE', `/repos/${org}/brakes`)
  await isNothing(brakes!)
  await isNothing(releases!)
})

test('open pages of a repository follow a rename and react to its deletion', { tag: '@series' }, async ({
  context,
  site: { url },
}) => {
  test.slow()
  const owner = await makePerson(url, 'opal')
  const asOwner = <T>(method: string, path: string, body?: object) => call<T>(url, method, path, body, owner)
  await asOwner('POST', '/user/repos', { name: 'rocket', auto_init: true })
  const run = await createRun(url, owner, `/${owner}/rocket`, { workflow, title: 'Liftoff' })
  const job = await startJob(url, owner, `/${owner}/rocket`, run, 'build')
  await job.upload('report.txt', 'text/plain', 'done')
  const hook = await asOwner<{ id: number }>('POST', `/repos/${owner}/rocket/hooks`, {
    type: 'gitea',
    config: { url: `${url}/hook`, content_type: 'json' },
  })
  await asOwner('POST', `/repos/${owner}/rocket/releases`, { tag_name: 'v1', draft: true })
  await signIn(context, url, owner, password)
  const at = (name: string) => `${url}/${owner}/${name}`
  const pages = await openAll(
    context,
    [
      '/actions',
      '/releases/edit/v1',
      '/settings/hooks',
      `/settings/hooks/${hook.id}`,
      `/settings/hooks/${hook.id}/deliveries`,
      '/settings/hooks/events',
      '/settings/actions/runners',
      '/settings/actions/runners/new',
      '/settings/actions/secrets',
      '/settings/actions/variables',
      `/actions/runs/${run.id}`,
      '/releases/new',
    ]
      .slice(0, series(3, 12))
      .map(path => at('rocket') + path),
  )
  for (const page of pages)
    await expect(page.getByRole('heading', { name: 'Page not found' }), page.url()).toHaveCount(0)

  await asOwner('PATCH', `/repos/${owner}/rocket`, { name: 'shuttle' })
  const left = () => pages.map(page => page.url()).filter(address => !address.startsWith(at('shuttle')))
  await expect.poll(left, soon).toEqual([])
  for (const page of pages) await expect(page.getByRole('heading', { level: 1 })).toContainText('shuttle')

  await asOwner('DELETE', `/repos/${owner}/shuttle`)
  for (const page of pages) await isNothing(page)
})
