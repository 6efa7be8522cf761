import type { Page } from '@playwright/test'
import { adminHeaders, freshKey } from '../process/api'
import { expectAccessible } from './axe'
import { isLive } from './live'
import { makePerson, password } from './people'
import { expect, signIn, test } from './site'

async function addKey(site: string, person: string): Promise<string> {
  const body = freshKey()
  const title = body.title.slice(0, 12)
  const response = await fetch(`${site}/api/v1/admin/users/${person}/keys`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify({ ...body, title }),
  })
  expect(response.status).toBe(201)
  return title
}

const shows = (page: Page, title: string) => expect(page.getByText(title)).toBeVisible()

test('two tabs share one live stream, which survives a network failure and the closing of the tab that opened it', async ({
  context,
  site,
}) => {
  const ada = await makePerson(site.url, 'live')
  await signIn(context, site.url, ada, password)
  let opened = 0
  context.on('request', request => {
    if (request.url().includes('/api/trpc/live.follow')) opened += 1
  })

  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const page of [first, second]) {
    await page.goto(`${site.url}/user/settings/keys`)
    await isLive(page)
  }
  const title = await addKey(site.url, ada)
  for (const page of [first, second]) await shows(page, title)
  expect(opened).toBe(1)

  await first.close()
  await isLive(second)
  await shows(second, await addKey(site.url, ada))
  expect(opened).toBe(2)

  await context.setOffline(true)
  const missed = await addKey(site.url, ada)
  await context.setOffline(false)
  await shows(second, missed)
  await shows(second, await addKey(site.url, ada))
})

test('a page whose refresh is interrupted by a network failure remains, and is refreshed later', async ({
  context,
  page,
  site,
}) => {
  const ada = await makePerson(site.url, 'offline')
  await signIn(context, site.url, ada, password)
  await page.goto(`${site.url}/user/settings/keys`)
  await isLive(page)
  const first = await page.evaluateHandle(() => document)
  const refresh = page.waitForRequest('**/keys?_rsc=*')
  await page.route('**/keys?_rsc=*', async route => {
    await context.setOffline(true)
    await route.continue()
  })
  const title = await addKey(site.url, ada)
  await expect.poll(async () => (await refresh).failure()?.errorText).toContain('DISCONNECTED')
  await page.unroute('**/keys?_rsc=*')
  const refreshed = page.waitForResponse('**/keys?_rsc=*')
  await context.setOffline(false)
  await refreshed
  await shows(page, title)
  expect(await first.evaluate(known => known === document)).toBe(true)
})

test('a page indicates when live updates are interrupted, and shows no indicator otherwise', async ({
  page,
  site,
}) => {
  await signIn(page, site.url, await makePerson(site.url, 'lost'), password)
  await page.route('**/api/trpc/live.follow*', route => route.abort())
  await page.goto(`${site.url}/user/settings/keys`)
  const mark = page.getByRole('status').filter({ hasText: 'Reconnecting' })
  await expect(mark).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/trpc/live.follow*')
  // Without this event, the next attempt would wait for as long as the page has been open.
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await isLive(page)
  await expect(mark).toHaveCount(0)
})
