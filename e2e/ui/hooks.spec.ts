import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { series } from '@/testing/series'
import { gitOk } from '../../testing/git'
import { answerWith, openReceiver, type Receiver } from '../../testing/receiver'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { call, makePerson, makeTeam, password } from './people'
import { expect, signIn, statusOf, test } from './site'

let receiver: Receiver
test.beforeEach(async () => {
  receiver = await openReceiver()
})
test.afterEach(() => receiver.close())

const rows = (page: Page) => page.getByRole('list', { name: 'Deliveries', exact: true }).getByRole('listitem')
const row = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`delivery ${number}, `) })

/** Clones a repository, to push empty commits from the clone. */
async function openClone(site: string, owner: string, path: string) {
  const authorization = `Basic ${Buffer.from(`${owner}:${password}`).toString('base64')}`
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-hooks-'))
  await gitOk(['clone', `${site}/${path}.git`, '.'], { cwd, authorization })
  return {
    async push(message: string, branch = 'main') {
      await gitOk(['commit', '--allow-empty', '-m', message], { cwd })
      await gitOk(['push', 'origin', `HEAD:${branch}`], { cwd, authorization })
    },
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }),
  }
}

/** Returns whether any element of `any` overlaps `other`. */
async function overlaps(any: Locator, other: Locator): Promise<boolean> {
  const box = await other.evaluate(it => it.getBoundingClientRect().toJSON())
  return await any.evaluateAll(
    (all, { left, right, top, bottom }) =>
      all
        .map(it => it.getBoundingClientRect())
        .some(it => it.left < right && it.right > left && it.top < bottom && it.bottom > top),
    box,
  )
}

/** Limits each replay call to one delivery, as if there were more deliveries than fit into one call. */
async function replayOneAtATime(page: Page): Promise<void> {
  await page.route(/\/trpc\/hooks\.(countReplay|replay)/, async route => {
    await route.continue({ postData: { ...route.request().postDataJSON(), limit: 1 } })
  })
}

test('a new webhook delivers a push immediately, shows when it will retry, and redelivers on request', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'ada')
  const { org } = await makeTeam(site.url, owner)
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings`)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('main').getByRole('link', { name: 'use the API' }).click()
  const endpoint = page.getByRole('button', { name: /^POST \/orgs\/\{org\}\/hooks Create a webhook/ })
  await expect(endpoint).toHaveAttribute('aria-expanded', 'true')
  await expect(endpoint).toBeInViewport()
  await page.goBack()
  await page.getByRole('link', { name: 'New webhook' }).click()

  const address = page.getByLabel('URL', { exact: true })
  await expect(address).toBeFocused()
  await address.fill('http://10.1.2.3/hook')
  await page.keyboard.press('Tab')
  await expect(
    page.getByText('10.1.2.3 is private, which GUILDHALL_WEBHOOK_ALLOWED_HOSTS does not allow'),
  ).toBeVisible()
  await address.fill('ci.example.test')
  await page.getByLabel('Branch filter').fill('{main')
  await expect(page.getByText('Invalid filter')).toBeVisible()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText('Enter a URL that starts with https:// or http://.')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill(`${receiver.url}/hook`)
  await page.getByLabel('Branch filter').fill('{main,release/*}')
  const examples = page.getByRole('list', { name: 'Filter examples' }).getByRole('listitem')
  await expect(examples.filter({ hasText: 'feature/login' })).toContainText('doesn’t match')
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByLabel('Selected events').check()
  await page.getByLabel('Teams', { exact: true }).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const created = page.getByRole('region', { name: 'Webhook created' })
  await expect(created).toBeFocused()
  const secret = (await created.getByText(/^whsec_/).textContent()) ?? ''
  await created.getByRole('button', { name: 'Send a ping' }).click()
  await expect(created).toContainText('The receiver responded with 200.')
  await expectAccessible(page)
  receiver.calls.length = 0
  await page.reload()
  await expect(page.getByLabel('Selected events')).toBeChecked()
  await expect(page.getByText('Deliveries are signed with a secret')).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Webhook' }).getByRole('link', { name: 'Deliveries' }).click()
  await expect(rows(page)).toHaveCount(1)
  await isLive(page)
  await using clone = await openClone(site.url, owner, `${org}/engine`)
  await clone.push('First')
  await expect(row(page, 2)).toHaveAccessibleName('Delivered delivery 2, push')
  const [got] = await receiver.got(1)
  expect(got?.headers['x-gitea-event']).toBe('push')
  expect(JSON.parse(got?.body ?? '')).toMatchObject({
    ref: 'refs/heads/main',
    head_commit: { message: 'First\n' },
  })
  expect(got?.headers['x-gitea-signature']).toBe(
    createHmac('sha256', secret)
      .update(got?.body ?? '')
      .digest('hex'),
  )

  receiver.answer(answerWith(500, { 'content-type': 'text/plain' }, 'not today'))
  await clone.push('Second')
  await expect(row(page, 3)).toHaveAccessibleName('Pending delivery 3, push')
  await expect(rows(page).first()).toContainText(/Next attempt (within a minute|in \d+ minutes?)/)
  await row(page, 3).press('Enter')
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  // New deliveries do not move a delivery that someone is reading.
  await clone.push('Third')
  await page.getByRole('button', { name: 'Show 1 new delivery' }).click()
  await expect(rows(page).first()).toContainText('#4')
  await expect(attempts).toHaveCount(2)
  await expect(page.getByText('not today')).toBeVisible()
  await expectAccessible(page)

  receiver.answer(answerWith(204))
  await page.getByRole('button', { name: 'Retry now' }).click()
  await expect(row(page, 3)).toHaveAccessibleName('Delivered delivery 3, push')
  await expect(attempts.first()).toContainText('Manual retry')
  const ids = receiver.calls.map(({ headers }) => headers['x-gitea-delivery'])
  expect(new Set(ids).size).toBe(3)

  await page.getByRole('link', { name: 'View event' }).click()
  const reasons = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await expect(reasons).toContainText('Delivered')
  await page.getByRole('button', { name: /^Created the (private )?repository/ }).click()
  await expect(reasons).toContainText('The webhook was created after this event')
})

test('deliveries can be filtered, previewed, and replayed, and a disabled webhook can be re-enabled', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'bea')
  const { org } = await makeTeam(site.url, owner)
  const config = { url: `${receiver.url}/hook`, content_type: 'json' }
  const body = { type: 'gitea', active: true, events: ['push', 'repository'], config }
  const hook = await call<{ id: number }>(site.url, 'POST', `/orgs/${org}/hooks`, body, owner)
  const at = `${site.url}/-/orgs/${org}/settings/hooks/${hook.id}/deliveries`
  await signIn(page, site.url, owner, password)
  await page.goto(at)
  await page.getByRole('button', { name: 'Send ping' }).click()
  await expect(row(page, 1)).toHaveAccessibleName('Delivered delivery 1, ping')
  await page.getByRole('button', { name: 'Send test push' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Sending a test push' })).toBeVisible()
  await expect(row(page, 2)).toHaveAccessibleName('Delivered delivery 2, push')
  await page.getByLabel('Event', { exact: true }).selectOption('ping')
  await page.waitForURL(/event=ping/)
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Deliveries' }).getByRole('link', { name: 'Failed' }).click()
  await page.getByRole('link', { name: 'Show all deliveries' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.goto(`${at}?status=x&event=%00&since=x&cursor=x&delivery=x&dry-run=x`)
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Dry run', exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Dry run' }).click()
  const dry = page.getByRole('region', { name: 'Dry run', exact: true })
  await expect(dry).toContainText('"action": "created"')
  expect(receiver.calls).toHaveLength(2)
  await dry.getByRole('button', { name: 'Close' }).click()

  receiver.answer(answerWith(410))
  await page.getByRole('button', { name: 'Replay…' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('No deliveries match')
  await dialog.getByLabel('Status').selectOption('delivered')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send 2 deliveries again' }).click()
  await expect(page.getByText('This webhook was disabled')).toBeVisible()
  await page.getByRole('button', { name: 'Re-enable' }).click()
  await expect(page.getByText('This webhook was disabled')).toHaveCount(0)
  await replayOneAtATime(page)
  receiver.answer(answerWith(200))
  const before = receiver.calls.length
  await page.getByRole('button', { name: 'Replay…' }).click()
  await dialog.getByRole('button', { name: 'Send 1 delivery again' }).click()
  await expect(dialog).toContainText('1 delivery is being sent.')
  await dialog.getByRole('button', { name: 'Send the next 1 delivery again' }).click()
  const toasts = page.locator('[data-sonner-toast]')
  await expect(toasts.filter({ hasText: 'Replaying deliveries' }).first()).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(dry).toContainText('"action": "created"')
  await page.getByRole('button', { name: 'Send ping' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Sending a ping' })).toBeVisible()
  // A removed toast takes a moment to disappear. One that is not removed remains for four seconds.
  await expect.poll(() => overlaps(toasts, dry), { timeout: 2_000 }).toBe(false)
  await dry.getByRole('button', { name: 'Close' }).click()
  await receiver.got(before + 3)

  await page.getByRole('navigation', { name: 'Webhook' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name (optional)').fill('Builds')
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await expect(page.getByRole('heading', { name: 'Builds' })).toBeVisible()
  await call(site.url, 'PATCH', `/orgs/${org}/hooks/${hook.id}`, { name: 'Night builds' }, owner)
  await expect(page.getByLabel('Name (optional)')).toHaveValue('Night builds')
  await page.getByRole('button', { name: 'Set secret' }).click()
  await page.getByRole('textbox', { name: 'New secret' }).fill('it is a secret')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Copy the secret now')).toBeVisible()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(dialog).toContainText('Its delivery log')
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})

test('people, organizations, repositories, and the site have the same webhook pages for people who can manage them', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'cleo')
  const { org } = await makeTeam(site.url, owner)
  const config = { url: `${receiver.url}/hook`, content_type: 'json' }
  const sections = [
    ['/user/hooks', '/user/settings/hooks'],
    [`/orgs/${org}/hooks`, `/-/orgs/${org}/settings/hooks`],
    [`/repos/${org}/engine/hooks`, `/${org}/engine/settings/hooks`],
  ] as const
  await signIn(page, site.url, owner, password)
  for (const [api, pages] of sections) {
    const hook = await call<{ id: number }>(
      site.url,
      'POST',
      api,
      { type: 'gitea', name: api, config },
      owner,
    )
    await page.goto(site.url + pages)
    await page.getByRole('link', { name: api }).click()
    await page.waitForURL(`${site.url}${pages}/${hook.id}`)
    await expect(page.getByRole('link', { name: 'Webhooks' }).first()).toHaveAttribute('aria-current', 'page')
    await call(site.url, 'DELETE', `${api}/${hook.id}`, undefined, owner)
    await expect(page.getByText('This webhook was deleted')).toBeVisible()
    for (const deleted of [`${pages}/${hook.id}`, `${pages}/${hook.id}/deliveries`])
      expect(await statusOf(page, site.url + deleted), deleted).toBe(404)
  }
  expect(await statusOf(page, `${site.url}/-/admin/hooks`)).toBe(404)
  await page.context().clearCookies()
  await signIn(page, site.url, await makePerson(site.url, 'dan'), password)
  for (const [, pages] of sections.slice(1)) expect(await statusOf(page, site.url + pages), pages).toBe(404)
  await page.goto(`${site.url}/user/settings/hooks/1`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.context().clearCookies()
  await signIn(page, site.url, admin.name, admin.password)
  for (const path of ['actions/runners/new', 'hooks/new']) {
    await page.goto(`${site.url}/-/admin/${path}`)
    const trail = await page.getByRole('navigation', { name: 'Breadcrumbs' }).boundingBox()
    const title = await page.getByRole('main').getByRole('heading', { level: 1 }).boundingBox()
    expect(title!.y - trail!.y - trail!.height, `${path}: room above the title`).toBeGreaterThanOrEqual(12)
  }
  await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/hook`)
  await page.getByLabel('New repositories').check()
  await page.getByLabel('Active').uncheck()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.waitForURL(/\/-\/admin\/hooks\/\d+$/)
  await page.goto(`${site.url}/-/admin/hooks`)
  const listed = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem')
  await expect(listed).toContainText('New repositories')
  await page.getByRole('link', { name: receiver.target }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})

test('open webhook pages inform people who can no longer manage webhooks, and link elsewhere', async ({
  context,
  site,
}) => {
  const [owner, other] = [await makePerson(site.url, 'gwen'), await makePerson(site.url, 'hal')]
  const { org } = await makeTeam(site.url, owner)
  const teams = await call<{ id: number; name: string }[]>(
    site.url,
    'GET',
    `/orgs/${org}/teams`,
    undefined,
    owner,
  )
  const membership = `/teams/${teams.find(({ name }) => name === 'Owners')?.id}/members/${other}`
  await call(site.url, 'PUT', membership, undefined, owner)
  const body = { type: 'gitea', config: { url: `${receiver.url}/hook`, content_type: 'json' } }
  const { id } = await call<{ id: number }>(site.url, 'POST', `/orgs/${org}/hooks`, body, owner)
  await signIn(context, site.url, other, password)
  const [list, deliveries] = [await context.newPage(), await context.newPage()]
  await list.goto(`${site.url}/-/orgs/${org}/settings/hooks`)
  await deliveries.goto(`${site.url}/-/orgs/${org}/settings/hooks/${id}/deliveries`)
  for (const page of [list, deliveries]) await isLive(page)

  await call(site.url, 'DELETE', membership, undefined, owner)
  await call(site.url, 'POST', `/orgs/${org}/hooks/${id}/tests`, undefined, owner)
  await expect(list.getByText('You can no longer manage these webhooks')).toBeVisible()
  await expect(deliveries.getByText('You can no longer manage this webhook')).toBeVisible()
  await deliveries.getByRole('link', { name: `Go to ${org}` }).click()
  await deliveries.waitForURL(`${site.url}/${org}`)
})

test('a long list of webhooks can be filtered', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'finn')
  const { org } = await makeTeam(site.url, owner)
  for (let number = 1; number <= 31; number++) {
    const config = { url: `${receiver.url}/mirror/${number}`, content_type: 'json' }
    await call(site.url, 'POST', `/orgs/${org}/hooks`, { type: 'gitea', active: true, config }, owner)
  }
  await signIn(page, site.url, owner, password)
  await page.goto(`${site.url}/-/orgs/${org}/settings/hooks`)
  const listed = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem')
  await expect(listed).toHaveCount(30)
  const filter = page.getByRole('searchbox', { name: 'Filter webhooks' })
  await filter.fill('active /mirror/3')
  await expect(listed).toHaveCount(3)
  await expect(listed.last()).toContainText(`${receiver.target}/mirror/31`)
  await filter.fill('inactive')
  await expect(page.getByText('No webhooks match this filter.')).toBeVisible()
})

const looks = [
  { colorScheme: 'light', contrast: false, width: 1280 },
  { colorScheme: 'dark', contrast: false, width: 390 },
  { colorScheme: 'light', contrast: true, width: 390 },
  { colorScheme: 'dark', contrast: true, width: 1280 },
] as const

test('webhook pages remain readable in every theme, whatever names, URLs, and responses contain', {
  tag: '@series',
}, async ({ page, site }) => {
  test.slow()
  const owner = await makePerson(site.url, 'eve')
  const { org } = await makeTeam(site.url, owner)
  const hostile = `\u202e<img src=x onerror=alert(1)>${'w'.repeat(120)}`
  receiver.answer(
    answerWith(
      500,
      { 'content-type': 'text/html', 'x-long': 'y'.repeat(4000) },
      `${hostile}\0${'z'.repeat(70_000)}`,
    ),
  )
  const config = { url: `${receiver.url}/${'u'.repeat(300)}`, content_type: 'form', secret: 'x' }
  const body = {
    type: 'gitea',
    name: hostile,
    active: true,
    events: ['repository'],
    branch_filter: 'b'.repeat(300),
    config,
  }
  const hook = await call<{ id: number }>(site.url, 'POST', `/orgs/${org}/hooks`, body, owner)
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'r'.repeat(100) }, owner)
  await receiver.got(1)
  page.on('dialog', () => expect(false, 'a script of somebody else ran').toBe(true))
  await signIn(page, site.url, owner, password)
  const hooks = `${site.url}/-/orgs/${org}/settings/hooks`
  const open = async (name: RegExp) => {
    // Until live updates are on, the button has no listener.
    await isLive(page)
    await page.getByRole('main').getByRole('button', { name, expanded: false }).first().click()
  }
  for (const [path, prepare] of [
    ['', async () => await expect(page.getByRole('img', { name: /failed/ })).toBeVisible()],
    [`/${hook.id}`, async () => {}],
    ['/new?type=slack', async () => await page.getByLabel('Selected events').check()],
    [
      `/${hook.id}/deliveries`,
      async () => {
        await open(/delivery 1/)
        for (const headers of await page.getByText(/^Headers/).all()) await headers.click()
        await expect(page.getByText('Only the first 64 KiB was stored.')).toBeVisible()
      },
    ],
    [
      '/events',
      async () => {
        await open(/Created the/)
        await expect(page.getByRole('list', { name: 'Webhooks' })).toBeVisible()
      },
    ],
  ] as const) {
    await page.goto(hooks + path)
    await prepare()
    for (const { colorScheme, contrast, width } of series(looks.slice(-1), [...looks])) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.evaluate(high => {
        const { dataset } = document.documentElement
        dataset.lightTheme = high ? 'light_high_contrast' : 'light'
        dataset.darkTheme = high ? 'dark_high_contrast' : 'dark'
      }, contrast)
      await expectAccessible(page)
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(tooWide, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})
