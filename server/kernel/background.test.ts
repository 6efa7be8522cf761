import { expect, it } from 'vitest'
import { createBackground } from './background'

it('Background.stop aborts running work, waits for it, and prevents new work from starting', async () => {
  const background = createBackground()
  const log: string[] = []
  background.run(async () => {
    await new Promise(resolve => background.stopping.addEventListener('abort', resolve))
    log.push('ended')
  })
  expect(await background.stop(5000)).toBe(true)
  background.run(async () => void log.push('begun'))
  expect(log).toEqual(['ended'])
})

it('Background.stop waits no longer than its timeout for work that does not finish', async () => {
  const background = createBackground()
  background.run(() => new Promise(() => undefined))
  expect(await background.stop(10)).toBe(false)
})
