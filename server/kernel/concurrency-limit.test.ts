import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLimiter, createQueues } from './concurrency-limit'

it('a concurrency limiter never exceeds its concurrency and eventually runs all work', async () => {
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

it('a concurrency limiter with a full queue refuses work with a Retry-After of one second', async () => {
  const pass = createLimiter({ concurrency: 1, maxQueue: 1 })
  const [first, second] = [pass(() => delay(5)), pass(() => delay(5))]
  await expect(pass(() => delay(5))).rejects.toMatchObject({ kind: 'tooManyRequests', retryAfterSeconds: 1 })
  await Promise.all([first, second])
})

it('queues per key run the work for one key in order, even after a failure, without delaying the work for other keys', async () => {
  const oneAtATime = createQueues()
  const log: string[] = []
  const work =
    (name: string, failing = false) =>
    async () => {
      log.push(`${name} begins`)
      await delay(5)
      log.push(`${name} ends`)
      if (failing) throw new Error('meant to')
    }
  await Promise.allSettled([
    oneAtATime(1, work('a', true)),
    oneAtATime(1, work('b')),
    oneAtATime(2, work('c')),
  ])
  const of = (names: string) => log.filter(line => names.includes(line[0]!))
  expect(of('ab')).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  expect(log.indexOf('c begins')).toBeLessThan(log.indexOf('b begins'))
})

it('queues per key refuse work for a key whose queue is full, and accept it for other keys', async () => {
  const oneAtATime = createQueues({ maxQueue: 1 })
  const [first, second] = [oneAtATime(1, () => delay(5)), oneAtATime(1, () => delay(5))]
  await expect(oneAtATime(1, () => delay(5))).rejects.toMatchObject({ kind: 'tooManyRequests' })
  await expect(oneAtATime(2, async () => 'free')).resolves.toBe('free')
  await Promise.all([first, second])
  await expect(oneAtATime(1, async () => 'free again')).resolves.toBe('free again')
})
