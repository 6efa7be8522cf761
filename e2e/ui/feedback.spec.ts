import type { CDPSession, Page } from '@playwright/test'
import { series } from '@/testing/series'
import { admin } from '../process/guildhall'
import { call } from './people'
import { expect, signIn, test } from './site'

// With GUILDHALL_TEST_THROTTLE, uses a slow network and a slow CPU for measurements; otherwise, runs at full
// speed.
const isThrottled = process.env.GUILDHALL_TEST_THROTTLE === '1'

interface Feedback {
  /** Time in milliseconds from the press to the first frame with feedback. */
  ms: number
  /** Whether feedback appeared before the server responded. */
  isFirst: boolean
  /** Layout shift of the page until the next page appeared. */
  shift: number
}

declare global {
  interface Window {
    feedback: { pressed: number; shown: number; over: number; shift: number }
  }
}

async function throttle(session: CDPSession, isOn: boolean): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: isOn ? 400 : 0,
    downloadThroughput: isOn ? 50 * 1024 : -1,
    uploadThroughput: isOn ? 50 * 1024 : -1,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: isOn ? 4 : 1 })
}

/** Records when a pressed link shows feedback, and how much the page moves afterward. */
async function watchFeedback(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const nothing = { pressed: 0, shown: Infinity, over: Infinity, shift: 0 }
    window.feedback = { ...nothing }
    document.addEventListener(
      'pointerdown',
      () => (window.feedback = { ...nothing, pressed: performance.now() }),
      { capture: true },
    )
    const look = (): void => {
      const { feedback } = window
      const isPending = document.querySelector('a[data-pending]') !== null
      // The next frame starts once this one is painted.
      if (isPending && feedback.shown === Infinity)
        requestAnimationFrame(() => requestAnimationFrame(() => (feedback.shown = performance.now())))
    }
    // Later layout shifts do not count, because the first part of the new page moves other parts into place.
    const noteArrival = (changes: MutationRecord[]): void => {
      const isInMain = ({ target }: MutationRecord) => target instanceof Element && target.closest('#main')
      if (changes.some(isInMain)) window.feedback.over = Math.min(window.feedback.over, performance.now())
    }
    new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ['data-pending'] })
    new MutationObserver(noteArrival).observe(document, { subtree: true, childList: true })
    new PerformanceObserver(list => {
      const { feedback } = window
      for (const { startTime, value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (startTime >= feedback.pressed && startTime < feedback.over) feedback.shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Clicks a link and returns how the page reacted. */
async function follow(page: Page, nav: string, href: string): Promise<Feedback> {
  let answers = 0
  let letThrough = (): void => undefined
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  await page.route(/[?&]_rsc=/, async route => {
    if (!isThrottled) await held
    answers += 1
    await route.continue()
  })
  const link = page.getByRole('navigation', { name: nav, exact: true }).locator(`a[href="${href}"]`)
  await link.click()
  await page.waitForFunction(() => Number.isFinite(window.feedback.shown))
  const isFirst = isThrottled || answers === 0
  letThrough()
  // The page that a link leads to can be without the link.
  await expect(link.and(page.locator('[data-pending]')), href).toHaveCount(0)
  await expect(page).toHaveURL(url => url.pathname + url.search === href)
  await page.evaluate(() => new Promise<unknown>(done => requestIdleCallback(done)))
  const { pressed, shown, shift } = await page.evaluate(() => window.feedback)
  await page.unroute(/[?&]_rsc=/)
  return { ms: Math.round(shown - pressed), isFirst, shift }
}

test('navigation links react to a press before the server responds, and nothing moves until the page is shown', {
  tag: '@series',
}, async ({ page, site }) => {
  test.slow()
  const org = 'feedback'
  await call(site.url, 'POST', '/orgs', { username: org })
  await call(site.url, 'POST', `/orgs/${org}/repos`, { name: 'engine', auto_init: true })
  await call(site.url, 'POST', `/orgs/${org}/teams`, {
    name: 'core',
    permission: 'write',
    units: ['repo.code'],
  })
  await signIn(page, site.url, admin.name, admin.password)
  await watchFeedback(page)
  const session = await page.context().newCDPSession(page)
  const pages: [path: string, nav: string][] = [
    ['/user/settings/keys', 'Site'],
    [`/${org}/engine`, 'Repository'],
    [`/${org}/engine/settings`, 'Repository settings'],
    [`/${org}`, 'Organization'],
    [`/-/orgs/${org}/settings`, 'Organization settings'],
    [`/-/orgs/${org}/teams/core`, 'Team'],
    ['/user/settings/profile', 'Settings'],
  ]
  const all: number[] = []
  for (const [path, nav] of series(pages.slice(1, 2), pages)) {
    await page.goto(site.url + path)
    const links = page.getByRole('navigation', { name: nav, exact: true }).getByRole('link')
    await expect(links.first(), nav).toBeVisible()
    const hrefs = await links.evaluateAll(found => found.map(link => link.getAttribute('href') ?? ''))
    await page.waitForLoadState('networkidle')
    if (isThrottled) await throttle(session, true)
    for (const href of [...hrefs.filter(href => href !== path), path]) {
      if (!hrefs.includes(href)) continue
      const { ms, isFirst, shift } = await follow(page, nav, href)
      expect.soft({ href, isFirst, shift }).toEqual({ href, isFirst: true, shift: 0 })
      all.push(ms)
      test.info().annotations.push({ type: 'feedback', description: `${nav}: ${href} ${ms} ms` })
      if (nav === 'Site' || (await links.count()) === 0) await page.goBack()
    }
    if (isThrottled) await throttle(session, false)
  }
  const sorted = all.toSorted((a, b) => a - b)
  test.info().annotations.push({
    type: 'feedback',
    description: `${all.length} links: median ${sorted.at(all.length / 2)} ms, longest ${sorted.at(-1)} ms`,
  })
})
