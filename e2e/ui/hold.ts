import { expect, type Page, type Route } from '@playwright/test'

/**
 * Holds back matching requests. `isAsked` waits for the first of them, and `release` lets all of them
 * through.
 */
export async function hold(
  page: Page,
  url: RegExp,
): Promise<{ isAsked: () => Promise<void>; release: () => Promise<void> }> {
  const held: Route[] = []
  let isHeld = true
  await page.route(url, route => (isHeld ? void held.push(route) : route.continue()))
  return {
    isAsked: () => expect.poll(() => held.length).toBeGreaterThan(0),
    release: async () => {
      isHeld = false
      await Promise.all(held.map(route => route.continue()))
      await page.unroute(url)
    },
  }
}
