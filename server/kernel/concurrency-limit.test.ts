import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLimiter } from './concurrency-limit'

it('never lets more run together than it is meant to, and lets everybody through in the end', async () => {
  const pass = createLimiter({ concurrency: 2, maxQueue: 100 })
  let running = 0
  let most = 0
  const work = async (failing: boolean) => {
    most = Math.max(most, ++running)
    await delay(1)
    running--
    if (failing) throw new Error('meant to')
  }
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => pass(() => work(index % 5 === 0))),
  )
  expect(most).toBe(2)
  expect(results.filter(result => result.status === 'rejected')).toHaveLength(6)
  await expect(pass(async () => 'still open')).resolves.toBe('still open')
})

it('refuses whoever comes when the line is full, to be tried again in a second', async () => {
  const pass = createLimiter({ concurrency: 1, maxQueue: 1 })
  const [first, second] = [pass(() => delay(5)), pass(() => delay(5))]
  await expect(pass(() => delay(5))).rejects.toMatchObject({ kind: 'tooManyRequests', retryAfterSeconds: 1 })
  await Promise.all([first, second])
})
