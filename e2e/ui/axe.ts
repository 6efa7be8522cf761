import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Expects that the page in its current state has no accessibility violations.
 *
 * Runs all of axe's rules inside the page itself. axe needs a second page only for frames, which no page of
 * Guildhall has.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page)
  // After a navigation, the title appears slightly later than the page.
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

// Half-faded text has too little contrast, so this waits for animations. The last action starts to animate in
// the next frame. Frames are requested until all animations end, because an invisible animation does not
// request frames, and without frames its end is never reported.
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
