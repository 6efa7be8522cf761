import type { Browser } from '@playwright/test'
import { series } from '@/testing/series'
import { freshKey } from '../process/api'
import { call, makePerson, password } from './people'
import { expect, signIn, test } from './site'

/** Maximum layout shift as browsers compute it, relative to the window's size. */
const layoutShift = 0.01

interface Visit {
  path: string
  /** Person who opens the page. Empty for an anonymous visitor. */
  login: string
}

interface Shift {
  value: number
  moved: string[]
}

test('nothing moves on a page while it loads over a slow network, wherever the mouse is', {
  tag: '@series',
}, async ({ browser, site: { url } }) => {
  test.setTimeout(240_000)
  const person = await makePerson(url, 'sloan')
  for (let count = 1; count <= 30; count++) await call(url, 'POST', '/user/keys', freshKey(), person)
  for (const name of ['anvil', 'bellows']) await call(url, 'POST', '/user/repos', { name }, person)
  const visits = [
    { path: '/user/settings/keys', login: person },
    { path: '/', login: person },
    { path: '/explore', login: person },
    { path: '/', login: '' },
    { path: '/explore', login: '' },
  ]
  // All pages load concurrently, each with its own network, because most of the time is spent waiting.
  await Promise.all(series(visits.slice(0, 1), visits).map(visit => expectStill(browser, url, visit)))
})

async function expectStill(browser: Browser, url: string, { path, login }: Visit): Promise<void> {
  const context = await browser.newContext()
  if (login) await signIn(context, url, login, password)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as unknown as {
        value: number
        sources: { node: Node | null }[]
      }[])
        shifts.push({
          value: entry.value,
          moved: entry.sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 160) : String(node?.nodeName),
          ),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  let isLoading = true
  const loaded = page.goto(url + path, { waitUntil: 'networkidle' }).finally(() => (isLoading = false))
  // Moving the mouse makes the browser lay out the part of the page that has arrived.
  for (let at = 0; isLoading; at++) {
    await page.mouse.move(200 + (at % 400), 200)
    await page.waitForTimeout(50)
  }
  await loaded
  const moved = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  const total = moved.reduce((sum, { value }) => sum + value, 0)
  expect(total, JSON.stringify({ path, login, moved }, null, 2)).toBeLessThan(layoutShift)
  await context.close()
}
