import { expect, it } from 'vitest'
import { createBackground } from './background'

it('work in the background is told to end and waited for, and none begins afterwards', async () => {
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

it('work in the background that does not end is not waited for any longer than that', async () => {
  const background = createBackground()
  background.run(() => new Promise(() => undefined))
  expect(await background.stop(10)).toBe(false)
})
