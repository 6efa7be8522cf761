import type { BrowserContextOptions, Page } from '@playwright/test'
import { createFakeRunner } from '@/testing/fake-runner'
import { series } from '@/testing/series'
import { packZip } from '@/testing/zip'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { attach } from './attach'
import { call, makePerson, makeTeam, password } from './people'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

/** Maximum compressed size in bytes of the scripts that a page loads. */
const scriptBytes = 250_000
/** The same for pages with the text editor. */
const editorBytes = 450_000
const stylesheets = 2
/**
 * Maximum layout shift as browsers compute it, relative to the window size. Values below 0.1 count as good.
 */
const layoutShift = 0.01

/** The pages with the most content, and those that people see first. */
const heaviest =
  /^\/$|^\/-\/sign-in$|\/engine$|\/src\/branch\/|\/commit\/|\/_edit\/|\/compare\/|\/releases\/edit\/|\/artifacts\/zip$|\/settings\/access\b/

interface Weight {
  path: string
  script: number
  scripts: number
  stylesheets: number
  style: number
  shift: number
  /**
   * How many pixels the page is wider than a window of 320 pixels, which corresponds to 1,280 pixels at 400%
   * zoom.
   */
  tooWide: number
}

test('pages are within their weight budget, don’t shift while they load, and fit into 320 pixels', {
  tag: '@series',
}, async ({ browser, site }) => {
  test.slow()
  // Nearly the maximum length of a name.
  const owner = await makePerson(site.url, 'w'.repeat(36))
  const { org } = await makeTeam(site.url, owner)
  const long = 'w'.repeat(84)
  await call(
    site.url,
    'POST',
    `/orgs/${org}/repos`,
    { name: long, auto_init: true, default_branch: `w/${long}`, description: 'w'.repeat(240) },
    owner,
  )
  const config = { url: `http://127.0.0.1:9/${'w'.repeat(80)}`, content_type: 'json' }
  const named = { type: 'gitea', name: 'w'.repeat(255), config }
  const hook = await call<{ id: number }>(site.url, 'POST', `/orgs/${org}/hooks`, named, owner)
  const release = { tag_name: 'w'.repeat(200), name: 'w'.repeat(255), body: `# ${'w'.repeat(500)}` }
  const repository = `/repos/${org}/engine`
  const { id } = await call<{ id: number }>(site.url, 'POST', `${repository}/releases`, release, owner)
  await attach(site.url, `/${org}/engine`, id, `${'w'.repeat(200)}.zip`, 'w')
  const title = 'w'.repeat(255)
  const workflow = `on: push\njobs:\n  ${'w'.repeat(90)}: {runs-on: ${'w'.repeat(90)}, steps: [{run: make}]}`
  const run = await createRun(site.url, owner, `/${org}/engine`, { workflow, title })
  const job = await startJob(site.url, owner, `/${org}/engine`, run, 'w'.repeat(90))
  const artifact = `${'w'.repeat(240)}.json`
  await job.upload(artifact, 'application/json', JSON.stringify({ ['w'.repeat(500)]: 1 }))
  await job.upload('zip', 'application/zip', packZip([{ name: `${'w'.repeat(200)}/${'w'.repeat(200)}` }]))
  const deployKey = { title, key: `${freshKey().key} ${title}` }
  await call(site.url, 'POST', `${repository}/keys`, deployKey, owner)
  const registration = await call<{ token: string }>(
    site.url,
    'POST',
    `/orgs/${org}/actions/runners/registration-token`,
    {},
    owner,
  )
  const labels = ['w'.repeat(255)]
  const runner = createFakeRunner(site)
  const { id: runnerId } = await runner.register({ name: 'w'.repeat(255), token: registration.token, labels })
  const commits = await call<{ sha: string }[]>(site.url, 'GET', `${repository}/commits`, undefined, owner)
  const [newest, oldest] = [commits[0], commits.at(-1)]
  const signedIn = async (name: string): Promise<BrowserContextOptions> => {
    const session = await browser.newContext()
    await signIn(session, site.url, name, password)
    const storageState = await session.storageState()
    await session.close()
    return { storageState }
  }
  const asOwner = await signedIn(owner)
  const asAdmin = await signedIn(admin.name)

  const forOwner = [
    '/',
    '/user/settings/keys?add=1',
    '/user/settings/tokens?add=1',
    '/user/settings/profile',
    '/user/settings/sessions',
    '/-/ssh',
    '/-/notifications',
    '/explore',
    '/-/new',
    `/${owner}`,
    `/${org}?q=${'w'.repeat(80)}`,
    `/-/orgs/${org}/people`,
    `/-/orgs/${org}/teams`,
    `/-/orgs/${org}/teams/core/repositories`,
    `/-/orgs/${org}/teams/new`,
    `/-/orgs/${org}/teams/core/permissions`,
    `/-/orgs/${org}/teams/core/settings`,
    `/-/orgs/${org}/settings/hooks`,
    `/-/orgs/${org}/settings/hooks/new`,
    `/-/orgs/${org}/settings/hooks/events`,
    `/-/orgs/${org}/settings/hooks/${hook.id}`,
    `/-/orgs/${org}/settings/hooks/${hook.id}/deliveries`,
    `/-/orgs/${org}/settings/actions/runners`,
    `/-/orgs/${org}/settings/actions/runners/new`,
    `/-/orgs/${org}/settings/actions/runners/${runnerId}`,
    `/-/orgs/${org}/settings/actions/secrets`,
    `/${org}/engine`,
    `/${org}/${long}/src/branch/w/${long}/README.md`,
    `/${org}/${long}/commits/branch/w/${long}`,
    ...['edit', 'delete'].map(page => `/${org}/${long}/_${page}/w/${long}/README.md`),
    ...['new', 'upload'].map(page => `/${org}/${long}/_${page}/w/${long}`),
    `/${org}/engine/commit/${newest?.sha}`,
    `/${org}/engine/compare/${oldest?.sha}...${newest?.sha}`,
    `/${org}/engine/settings`,
    `/${org}/engine/settings/access`,
    `/${org}/engine/settings/keys`,
    `/${org}/engine/releases`,
    `/${org}/engine/releases/tag/${release.tag_name}`,
    `/${org}/engine/releases/new`,
    `/${org}/engine/releases/edit/${release.tag_name}`,
    `/${org}/engine/actions`,
    `/${org}/engine/actions/workflows`,
    `/${org}/engine/actions/runs/${run.id}`,
    `/${org}/engine/actions/runs/${run.id}/jobs/${run.jobs['w'.repeat(90)]}`,
    `/${org}/engine/actions/runs/${run.id}/artifacts/${artifact}`,
    `/${org}/engine/actions/runs/${run.id}/artifacts/zip`,
    ...['', '/branches', '/tags', '/activity', '/settings', `/settings/access?why=${owner}`].map(
      part => `/${org}/${long}${part}`,
    ),
    '/api/docs',
  ]
  const forAdmin = [
    '/-/admin/users',
    `/-/admin/users/${owner}`,
    `/-/admin/users/${owner}/keys?add=1`,
    '/-/admin/orgs',
    '/-/admin/repos',
    '/-/admin/health',
    '/-/admin/events',
  ]
  const visits = [
    ...['/-/sign-in', '/', '/explore', `/explore?q=${'w'.repeat(80)}`, '/no/such/page'].map(path => ({
      path,
      options: {},
    })),
    ...forOwner.map(path => ({ path, options: asOwner })),
    ...forAdmin.map(path => ({ path, options: asAdmin })),
    ...['/', `/${org}/engine`, `/-/orgs/${org}/people`].map(path => ({
      path,
      options: { ...asOwner, viewport: { width: 390, height: 844 } },
    })),
  ]
  const weights: Weight[] = []
  // Two at a time, because this test is among the last to finish, when the other worker may have nothing left
  // to do.
  const remaining = visits.filter(({ path }) => series(heaviest.test(path), true)).values()
  const weighRemaining = async (): Promise<void> => {
    for (const { path, options } of remaining) {
      // A new context has an empty cache.
      const context = await browser.newContext(options)
      weights.push({ path, ...(await weigh(await context.newPage(), site.url + path)) })
      await context.close()
    }
  }
  await Promise.all([weighRemaining(), weighRemaining()])
  const isTooMuch = (page: Weight): boolean =>
    page.script > (/\/_(?:edit|new)\//.test(page.path) ? editorBytes : scriptBytes) ||
    page.stylesheets > stylesheets ||
    page.shift > layoutShift ||
    page.tooWide > 0
  expect(weights.filter(isTooMuch)).toEqual([])
})

test('pages with long lists are small, because their rows are', async ({ site: { url }, context }) => {
  const person = await makePerson(url, 'wen')
  for (let count = 1; count <= 30; count++) {
    await call(url, 'POST', '/user/keys', { ...freshKey(), title: `laptop ${count}` }, person)
  }
  for (let count = 1; count <= series(8, 30); count++) {
    const repository = { name: `tool-${count}`, description: `The tool with the number ${count}` }
    await call(url, 'POST', '/user/repos', repository, person)
  }
  await signIn(context, url, person, password)
  const bytesOf = async (path: string): Promise<number> => {
    const response = await context.request.get(url + path)
    return (await response.body()).length
  }
  expect(await bytesOf('/user/settings/keys')).toBeLessThan(80_000)
  expect(await bytesOf(`/explore?q=${person}`)).toBeLessThan(50_000)
})

test('the editor is loaded by pages that edit files alone, and its parts when they are needed', async ({
  site: { url },
  page,
}) => {
  const person = await makePerson(url, 'wes')
  await call(url, 'POST', '/user/repos', { name: 'texts', auto_init: true }, person)
  await signIn(page, url, person, password)
  const at = `${url}/${person}/texts`
  const scriptsOf = async (address: string): Promise<string[]> => {
    await page.goto(address, { waitUntil: 'networkidle' })
    const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const scripts = urls.filter(each => each.endsWith('.js'))
    return await Promise.all(scripts.map(async each => await (await fetch(each)).text()))
  }
  const isEditor = (script: string): boolean => script.includes('cm-activeLine')
  const isComparison = (script: string): boolean => script.includes('cm-mergeViewEditors')
  for (const path of ['', '/src/branch/main/README.md', '/_upload/main', '/_delete/main/README.md']) {
    expect((await scriptsOf(at + path)).some(isEditor), path).toBe(false)
  }
  const scripts = await scriptsOf(`${at}/_edit/main/README.md`)
  await expect(page.locator('.cm-editor')).toBeVisible()
  expect(scripts.some(isEditor)).toBe(true)
  expect(scripts.some(isComparison)).toBe(false)
})

async function weigh(page: Page, url: string): Promise<Omit<Weight, 'path'>> {
  await page.addInitScript(() => {
    const total = { shift: 0 }
    Object.assign(window, { total })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) total.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.evaluate(() => new Promise<unknown>(done => requestIdleCallback(done)))
  const weight = await page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const sum = (of: PerformanceResourceTiming[]): number =>
      of.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    const styles = resources.filter(({ name }) => new URL(name).pathname.endsWith('.css'))
    return {
      script: sum(scripts),
      scripts: scripts.length,
      stylesheets: document.querySelectorAll('link[rel="stylesheet"]').length,
      style: sum(styles),
      shift: (window as unknown as { total: { shift: number } }).total.shift,
    }
  })
  // Content that the page requests after rendering can also make it too wide.
  await page.waitForLoadState('networkidle')
  await page.setViewportSize({ width: 320, height: 700 })
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

  return { ...weight, tooWide }
}
