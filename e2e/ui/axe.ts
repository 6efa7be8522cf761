import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Fails on any accessibility violation of the page as it stands.
 *
 * All of axe's rules run inside the page itself: none of ours has frames, for which alone axe would need a second page.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page)
  // After a navigation it comes a little later than the page.
  await expect(page).toHaveTitle(/./)
  expect(page.frames(), 'axe looks into no frame').toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
  })
  expect(violations).toEqual([])
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

// Half-faded text has no contrast of its own yet. What was done last begins to fade with the next frame. Frames are asked
// for until all is still: an animation that nobody sees moves no frame on, and without one its end is never told.
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const passes = ({ playState, effect }: Animation) =>
      playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
    await frame()
    do await frame()
    while (document.getAnimations().some(passes))
  })
}
