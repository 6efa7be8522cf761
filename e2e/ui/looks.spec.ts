import type { Locator, Page } from '@playwright/test'
import { createFakeRunner } from '@/testing/fake-runner'
import { series } from '@/testing/series'
import { packZip } from '@/testing/zip'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { attach } from './attach'
import { expectAccessible } from './axe'
import { call, makePerson, makeTeam } from './people'
import { push, pushFiles } from './push'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

// With GUILDHALL_TEST_LOOKS, checks every page and everything that opens on it in every look (theme and
// width), which takes many minutes. Without it, checks each page in one look and on a phone, because the
// tests of each feature check what opens on it. `npm test` checks only every eighth page, in one look.
const isWhole = process.env.GUILDHALL_TEST_LOOKS === '1'

const looks = ['light', 'dark', 'light_high_contrast', 'dark_high_contrast'].flatMap(theme =>
  [1280, 390, 320].map(width => ({ theme, width })),
)
type Look = (typeof looks)[number]
const phone: Look = { theme: 'light', width: 390 }

const workflow = 'on: push\njobs:\n  build: {runs-on: anvil, steps: [{run: make}]}'
const notes = '# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nmake\n```\n\n- [x] done'
const code = "// Speed of the engine\nexport const speed = (a: number) => 2 * a + 'km' // \u202e\n"

async function wear(page: Page, { theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: theme.startsWith('dark') ? 'dark' : 'light' })
  await page.evaluate(theme => {
    const { dataset } = document.documentElement
    dataset.lightTheme = theme
    dataset.darkTheme = theme
  }, theme)
}

/**
 * Checks that the current page is accessible and fits the window in these combinations of theme and width.
 */
async function expectFit(page: Page, inLooks: readonly Look[], what: string): Promise<void> {
  for (const look of inLooks) {
    await wear(page, look)
    await test.step(`${what}: ${look.theme}, ${look.width}`, async () => {
      await expectAccessible(page)
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(tooWide, 'pixels wider than the window').toBeLessThanOrEqual(0)
    })
  }
}

/**
 * Returns the buttons that open menus and dialogs, one of each kind: "Remove ada" and "Remove ben" open
 * similar dialogs.
 */
async function openers(page: Page): Promise<{ name: string; button: Locator }[]> {
  const buttons = page.locator('button[aria-haspopup]:visible')
  const named = await buttons.evaluateAll(all =>
    all.map(each => {
      const name = each.ariaLabel || each.textContent || ''
      return { name, kind: each.closest('li') ? `${name.split(' ')[0]} of a row` : name }
    }),
  )
  const kinds = new Set<string>()
  return named.flatMap(({ name, kind }, position) => {
    if (kinds.has(kind)) return []
    kinds.add(kind)
    return [{ name, button: buttons.nth(position) }]
  })
}

/** Opens each menu and dialog by keyboard, checks it, and closes it. */
async function checkPopups(page: Page, inLooks: readonly Look[], seen: Set<string>): Promise<string[]> {
  const opened: string[] = []
  for (const { name, button } of await openers(page)) {
    // Controls that appear on every page are checked only once.
    const isShared = await button.evaluate(element => !element.closest('main'))
    const first = inLooks[0] as Look
    if (isShared && seen.has(name)) continue
    if (isShared) seen.add(name)
    await wear(page, first)
    // In a narrow window, some of them are in a separate menu.
    if (!(await button.isVisible())) continue
    const popup = page.locator('[role=menu]:popover-open, [role=dialog]:visible, [role=alertdialog]:visible')
    await expect(async () => {
      await button.press('Enter')
      await expect(popup).toBeVisible({ timeout: 2_000 })
    }, name).toPass()
    await expectFit(page, inLooks, name)
    await page.keyboard.press('Escape')
    await expect(popup, name).toBeHidden()
    await wear(page, first)
    await expect(button, `has the focus again after ${name}`).toBeFocused()
    opened.push(name)
  }
  return opened
}

/** Creates an object of each kind and returns the URLs of the pages that show them. */
async function furnish(url: string): Promise<string[]> {
  const person = await makePerson(url, 'ada')
  const { org, team } = await makeTeam(url, admin.name)
  const post = <T = { id: number }>(path: string, body: object) => call<T>(url, 'POST', path, body)
  const engine = `/repos/${org}/engine`
  const config = { url: 'http://127.0.0.1:9/hook', content_type: 'json' }
  const hook = { type: 'gitea', name: 'Ships', config }
  const { id: hookId } = await post(`/orgs/${org}/hooks`, hook)
  await post(`${engine}/hooks`, hook)
  await post('/user/hooks', hook)
  await call(url, 'PUT', `/teams/${team}/members/${person}`)
  await call(url, 'PUT', `/teams/${team}/repos/${org}/engine`)
  await post('/user/keys', freshKey())
  await post(`/admin/users/${person}/keys`, freshKey())
  await post(`${engine}/keys`, { ...freshKey(), read_only: true })
  await post(`/users/${admin.name}/tokens`, { name: 'robot', scopes: ['all'] })
  await call(url, 'PUT', `/user/blocks/${await makePerson(url, 'mallory')}`)
  for (const path of ['/user', `/orgs/${org}`, engine]) {
    await post(`${path}/actions/variables/SPEED`, { value: '80' })
    await call(url, 'PUT', `${path}/actions/secrets/WORD`, { data: 'plugh' })
  }
  for (const path of ['/user', `/orgs/${org}`, engine, '/admin']) {
    const { token } = await post<{ token: string }>(`${path}/actions/runners/registration-token`, {})
    await createFakeRunner({ url }).register({ name: 'hammer', token, labels: ['anvil'] })
  }
  await push(url, `/${org}/engine`, admin.name, 'refs/heads/turbo')
  await push(url, `/${org}/engine`, admin.name, 'refs/tags/v0.9')
  const files = Array.from(
    { length: 12 },
    (_, index) => [`src/part${index % 2}/file${index}.ts`, code] as const,
  )
  await pushFiles(url, `/${org}/engine`, admin.name, Object.fromEntries(files))
  const release = { tag_name: 'release/1.0', name: 'The first one', body: notes }
  const { id: releaseId } = await post(`${engine}/releases`, release)
  await attach(url, `/${org}/engine`, releaseId, `${'w'.repeat(100)}.zip`, 'text')
  await post(`${engine}/releases`, { tag_name: 'v1.1', body: '- [news](/-/sign-in)\n'.repeat(50) })
  await post(`${engine}/releases`, { tag_name: 'v2-rc', prerelease: true })
  await post(`${engine}/releases`, { tag_name: 'v3', draft: true })
  const run = await createRun(url, admin.name, `/${org}/engine`, { workflow, title: 'Build' })
  const job = await startJob(url, admin.name, `/${org}/engine`, run, 'build')
  await job.upload('site.zip', 'application/zip', packZip([{ name: 'index.html' }]))
  await job.end('failure')
  for (const [name, new_owner] of [
    ['gift', admin.name],
    ['swap', await makePerson(url, 'ben')],
  ] as const) {
    await call(url, 'POST', '/user/repos', { name, auto_init: true }, person)
    await call(url, 'POST', `/repos/${person}/${name}/transfer`, { new_owner }, person)
  }
  const runners = await call<{ runners: { id: number }[] }>(url, 'GET', `${engine}/actions/runners`)
  const inRepository = [
    '',
    '/src/branch/main/src',
    '/src/branch/main/src/part0/file0.ts',
    '/src/branch/main/none',
    '/_new/main/src',
    '/_edit/main/README.md',
    '/_edit/main/src/part0/file0.ts',
    '/_delete/main/src/part0/file0.ts',
    '/_upload/main/src',
    '/commits/branch/main',
    '/commit/main',
    '/commit/main?style=split',
    '/compare/v0.9...main',
    '/issues',
    '/branches',
    '/tags',
    '/activity',
    '/releases',
    '/releases?q=nothing',
    '/releases/tag/release/1.0',
    '/releases/new?tag=v4',
    '/releases/edit/v3',
    '/releases/edit/release/1.0',
    '/actions',
    '/actions/workflows',
    `/actions/runs/${run.id}`,
    `/actions/runs/${run.id}/jobs/${run.jobs.build}`,
    `/actions/runs/${run.id}/artifacts/site.zip`,
    '/settings',
    '/settings/access',
    '/settings/keys',
    '/settings/keys?add=1',
    '/settings/hooks',
    '/settings/actions/runners',
    `/settings/actions/runners/${runners.runners[0]?.id}`,
    '/settings/actions/secrets',
    '/settings/actions/variables',
    '/settings/actions/permissions',
  ]
  const inOrganization = [
    '/people',
    '/teams',
    '/teams/new',
    '/teams/core',
    '/teams/core/repositories',
    '/teams/core/permissions',
    '/teams/core/activity',
    '/teams/core/settings',
    '/teams/core/activity?date=2001-02-03',
    ...['', '/repositories', '/permissions', '/activity', '/settings'].map(part => `/teams/Owners${part}`),
    '/activity',
    '/settings',
    '/settings/hooks',
    '/settings/hooks/new',
    '/settings/hooks/events',
    `/settings/hooks/${hookId}`,
    `/settings/hooks/${hookId}/deliveries`,
    '/settings/actions/runners',
    '/settings/actions/runners/new',
    '/settings/blocked',
  ]
  const ofAccount = [
    'profile',
    'password',
    'sessions',
    'blocked',
    'keys',
    'keys?add=1',
    'tokens',
    'tokens?add=1',
    'hooks',
  ]
  const ofSite = [
    'users',
    `users/${person}`,
    'orgs',
    'repos',
    'hooks',
    'actions/runners',
    'actions/variables',
    'actions/permissions',
    'health',
    'events',
  ]
  return [
    '/',
    '/explore',
    '/explore?tab=people',
    '/explore?tab=organizations',
    '/-/new',
    '/-/orgs',
    '/-/orgs/new',
    '/-/ssh',
    '/-/notifications',
    `/${person}`,
    `/${org}`,
    `/${org}?q=nothing`,
    `/${person}/gift`,
    `/${person}/swap/settings`,
    '/no/such/page',
    ...inRepository.map(path => `/${org}/engine${path}`),
    ...inOrganization.map(path => `/-/orgs/${org}${path}`),
    ...ofAccount.map(path => `/user/settings/${path}`),
    ...ofSite.map(path => `/-/admin/${path}`),
  ]
}

test('pages, menus, and dialogs are accessible and no wider than the window in every theme and width', {
  tag: '@series',
}, async ({ page, site }) => {
  test.setTimeout(isWhole ? 3_600_000 : 480_000)
  const paths = await furnish(site.url)
  await signIn(page, site.url, admin.name, admin.password)
  const seen = new Set<string>()
  const opened = new Set<string>()
  const step = series(8, 1)
  for (const [position, path] of paths.entries()) {
    if (position % step !== 0) continue
    const turn = looks[position % looks.length] as Look
    const inLooks = isWhole ? looks : series([turn], [turn, phone])
    await page.goto(site.url + path)
    await expectFit(page, inLooks, path)
    const all = page.getByRole('checkbox', { name: 'Select all on this page' })
    if (await all.isVisible()) {
      await all.check()
      await expectFit(page, inLooks, `${path}, all chosen`)
    }
    if (!isWhole) continue
    for (const name of await checkPopups(page, inLooks, seen)) opened.add(`${path}: ${name}`)
  }
  test.info().annotations.push({
    type: 'looks',
    description: `${paths.length} pages, ${opened.size} menus and dialogs: ${[...opened].join('; ')}`,
  })
})
