import type { Page } from '@playwright/test'
import { series } from '@/testing/series'
import { freshKey } from '../process/api'
import { admin } from '../process/guildhall'
import { call, makePerson, makeTeam, password } from './people'
import { push } from './push'
import { createRun, startJob } from './runs'
import { expect, signIn, test } from './site'

const workflow = 'on: push\njobs:\n  build: {runs-on: forge, steps: [{run: make}]}'

/** The URL of a page, a change made elsewhere, and the text that the open page must show after it. */
type Case = [path: string, change: () => Promise<unknown>, shown: string | RegExp]

/**
 * Opens each page, makes its change as someone else, and waits until the page shows the change without a
 * reload.
 */
async function showEach(page: Page, cases: readonly Case[]): Promise<void> {
  const ahead: string[] = []
  page.on('request', request => {
    if ('next-router-prefetch' in request.headers()) ahead.push(request.url())
  })
  for (const [path, change, shown] of cases.filter((_, position) => position % series(4, 1) === 0)) {
    await page.goto(path)
    // The page starts to follow changes a moment after it has loaded. Until then, it catches up on what it
    // missed.
    await page.waitForLoadState('networkidle')
    const text = page.getByRole('main').getByText(shown).filter({ visible: true }).first()
    await expect(text, path).toHaveCount(0)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    const begun = performance.now()
    await change()
    const changed = performance.now()
    await expect(text, path).toBeVisible()
    const took = `${path}: ${Math.round(performance.now() - changed)} ms after the answer, ${Math.round(performance.now() - begun)} after the request`
    test.info().annotations.push({ type: 'shown', description: took })
    expect(await page.evaluate(() => 'isSame' in window), path).toBe(true)
  }
  expect(ahead, 'pages that nobody asked for').toEqual([])
}

test('pages show changes by other people without a reload', { tag: '@series' }, async ({ page, site }) => {
  test.slow()
  const { url } = site
  const [owner, colleague, guest] = [
    await makePerson(url, 'olga'),
    await makePerson(url, 'pete'),
    await makePerson(url, 'quinn'),
  ]
  const { org, team } = await makeTeam(url, owner)
  const teams = await call<{ id: number; name: string }[]>(url, 'GET', `/orgs/${org}/teams`, undefined, owner)
  const owners = teams.find(({ name }) => name === 'Owners')?.id
  await call(url, 'PUT', `/teams/${owners}/members/${colleague}`, undefined, owner)
  const other = `other-${org}`
  await call(url, 'POST', '/orgs', { username: other }, owner)
  const otherTeam = await call<{ id: number }>(
    url,
    'POST',
    `/orgs/${other}/teams`,
    { name: 'builders', permission: 'write', units: ['repo.code'] },
    owner,
  )
  await call(url, 'POST', '/user/repos', { name: 'tools' }, owner)
  const run = await createRun(url, owner, `/${org}/engine`, { workflow, title: 'First run' })
  const asOwner = (method: string, path: string, body?: object) => call(url, method, path, body, owner)
  const asColleague = (path: string, body: object) => call(url, 'POST', path, body, colleague)
  await signIn(page, url, colleague, password)
  const at = (path: string): string => url + path
  const engine = `/repos/${org}/engine`

  await showEach(page, [
    // Changes to their own account.
    [
      at('/user/settings/keys'),
      () => asColleague('/user/keys', { ...freshKey(), title: 'pocket' }),
      'pocket',
    ],
    [
      at('/user/settings/tokens'),
      () => asColleague(`/users/${colleague}/tokens`, { name: 'robot', scopes: ['all'] }),
      'robot',
    ],
    [at('/'), () => asOwner('POST', `/orgs/${org}/repos`, { name: 'wheels' }), `${org}/wheels`],
    [at('/'), () => asOwner('PUT', `/teams/${otherTeam.id}/members/${colleague}`), other],
    // Changes to the organization.
    [at(`/${org}`), () => asOwner('POST', `/orgs/${org}/repos`, { name: 'brakes' }), 'brakes'],
    [at(`/-/orgs/${org}/people`), () => asOwner('PUT', `/teams/${team}/members/${guest}`), guest],
    [at(`/-/orgs/${org}/teams/core`), () => asOwner('PUT', `/teams/${team}/members/${owner}`), owner],
    [
      at(`/-/orgs/${org}/teams`),
      () =>
        asOwner('POST', `/orgs/${org}/teams`, { name: 'drivers', permission: 'read', units: ['repo.code'] }),
      'drivers',
    ],
    [
      at(`/-/orgs/${org}/teams/core/repositories`),
      () => asOwner('PUT', `/teams/${team}/repos/${org}/engine`),
      `${org}/engine`,
    ],
    [
      at(`/-/orgs/${org}/activity`),
      () => asOwner('POST', `/orgs/${org}/repos`, { name: 'lights' }),
      /lights/,
    ],
    [
      at(`/-/orgs/${org}/settings/actions/variables`),
      () => asOwner('POST', `/orgs/${org}/actions/variables/SPEED`, { value: '80' }),
      'SPEED',
    ],
    // Changes to a repository.
    [
      at(`/${org}/engine`),
      () => asOwner('PATCH', engine, { description: 'Burns hydrogen' }),
      'Burns hydrogen',
    ],
    [at(`/${org}/engine/branches`), () => push(url, `/${org}/engine`, owner, 'refs/heads/turbo'), 'turbo'],
    [at(`/${org}/engine/tags`), () => push(url, `/${org}/engine`, owner, 'refs/tags/v0.9'), 'v0.9'],
    [
      at(`/${org}/engine/releases`),
      () => asOwner('POST', `${engine}/releases`, { tag_name: 'v1.0', name: 'The first one' }),
      'The first one',
    ],
    [
      at(`/${org}/engine/actions`),
      () => createRun(url, owner, `/${org}/engine`, { workflow, title: 'Second run' }),
      'Second run',
    ],
    [
      at(`/${org}/engine/actions/runs/${run.id}`),
      async () => {
        const job = await startJob(url, owner, `/${org}/engine`, run, 'build')
        await job.upload('report.txt', 'text/plain', 'done')
      },
      'report.txt',
    ],
    [
      at(`/${org}/engine/settings/access`),
      () => asOwner('PUT', `${engine}/collaborators/${guest}`, { permission: 'write' }),
      guest,
    ],
    [
      at(`/${org}/engine/settings/keys`),
      () => asOwner('POST', `${engine}/keys`, { ...freshKey(), title: 'deployer' }),
      'deployer',
    ],
    [
      at(`/${org}/engine/settings/hooks`),
      () =>
        asOwner('POST', `${engine}/hooks`, {
          type: 'gitea',
          name: 'Siren',
          config: { url: `${url}/hook`, content_type: 'json' },
        }),
      'Siren',
    ],
    // Changes to another person.
    [at(`/${owner}`), () => asOwner('POST', '/user/repos', { name: 'garden' }), 'garden'],
  ])

  await page.context().clearCookies()
  await signIn(page, url, admin.name, admin.password)
  const newcomer = { username: `rita-${org}`, email: `rita-${org}@example.test`, password }
  await showEach(page, [
    [at(`/-/admin/users?q=rita-${org}`), () => call(url, 'POST', '/admin/users', newcomer), newcomer.email],
  ])
})
