import { describe, expect, it } from 'vitest'
import { createLines, type Lines } from './lines'

/** Queues deliveries that finish when the test calls their functions, with the result that it passes. */
function enter(lines: Lines, target: string, count: number, account: number | null = null) {
  const running: ((answered: boolean) => void)[] = []
  const done = Array.from({ length: count }, () =>
    lines.enter(target, account, () => new Promise<boolean>(resolve => running.push(resolve))),
  )
  return { running, all: Promise.all(done) }
}
const shareOf = (lines: Lines, target: string) => lines.shares().find(share => share.target === target)

describe('the queue of a target', () => {
  it('runs eight deliveries concurrently, and starts the next when one of them finishes', async () => {
    const lines = createLines()
    const { running } = enter(lines, 'a.test', 10)
    expect(running).toHaveLength(8)
    running[0]!(true)
    await expect.poll(() => running.length).toBe(9)
    expect(shareOf(lines, 'a.test')).toMatchObject({ held: 9 })
  })

  it('claims more deliveries with each response, up to four times the concurrency limit', async () => {
    const lines = createLines()
    const { running } = enter(lines, 'a.test', 8)
    for (const expected of [16, 32, 32]) {
      running.pop()!(true)
      await expect.poll(() => shareOf(lines, 'a.test')?.max).toBe(expected)
    }
  })

  it('claims one delivery at a time after a timeout, until the target responds', async () => {
    const lines = createLines()
    const first = enter(lines, 'a.test', 1)
    first.running[0]!(false)
    await first.all
    expect(shareOf(lines, 'a.test')).toEqual({ target: 'a.test', held: 0, max: 1 })
    const second = enter(lines, 'a.test', 1)
    second.running[0]!(true)
    await second.all
    expect(shareOf(lines, 'a.test')).toMatchObject({ max: 2 })
  })

  it('is forgotten if two claims find it empty and its limits are the defaults', async () => {
    const lines = createLines()
    const { running, all } = enter(lines, 'a.test', 2)
    for (const end of running) end(true)
    await all
    expect(lines.shares()).toEqual([{ target: 'a.test', held: 0, max: 32 }])
    enter(lines, 'a.test', 1).running[0]!(true)
    await lines.empty()
    expect(lines.shares()).toHaveLength(1)
    expect(lines.shares()).toEqual([])
  })
})

it('the room of all delivery queues is the number of deliveries that they can still accept', async () => {
  const lines = createLines({ max: 10 })
  const { running, all } = enter(lines, 'a.test', 4)
  enter(lines, 'b.test', 5)
  expect(lines.room()).toBe(1)
  for (const end of running) end(true)
  await all
  expect(lines.room()).toBe(5)
})

it('a delivery that throws an error lets the next one of its queue start', async () => {
  const lines = createLines()
  await expect(lines.enter('a.test', null, () => Promise.reject(new Error('no memory')))).rejects.toThrow(
    'no memory',
  )
  expect([lines.room(), lines.shares()]).toEqual([512, [{ target: 'a.test', held: 0, max: 8 }]])
  await lines.empty()
})

describe('the queues of an account', () => {
  it('send at most a quarter of all concurrent deliveries to targets that are not known to respond, no matter how many there are', async () => {
    const lines = createLines({ max: 16, maxInFlight: 2 })
    const [a, b] = [enter(lines, 'a.test', 2, 1), enter(lines, 'b.test', 2, 1)]
    expect([1, 2, null].map(account => lines.admits('c.test', account))).toEqual([false, true, true])
    expect(shareOf(lines, 'c.test')).toEqual({ target: 'c.test', held: 0, max: 0 })
    a.running[0]!(true)
    await expect.poll(() => lines.admits('c.test', 1)).toBe(true)
    expect(shareOf(lines, 'c.test')).toBeUndefined()
    enter(lines, 'c.test', 1, 1)
    expect([lines.admits('b.test', 1), lines.admits('a.test', 1)]).toEqual([false, true])
    for (const end of [...a.running, ...b.running]) end(true)
  })

  it('send at full concurrency to 25 slow receivers after their first responses', async () => {
    const lines = createLines()
    const targets = Array.from({ length: 25 }, (_, at) => `r${at}.test`)
    const underWay: (() => void)[] = []
    const answer = () => new Promise<boolean>(resolve => underWay.push(() => resolve(true)))
    // As the claim does it: in turns, as much of each target as its line has room for, and no more than is admitted.
    const claim = () => {
      const shares = new Map(lines.shares().map(({ target, held, max }) => [target, max - held]))
      for (let turn = 0; turn < 4 * lines.maxPerTarget; turn++)
        for (const target of targets) {
          const mayHave = (shares.get(target) ?? lines.maxPerTarget) > turn && lines.room() > 0
          if (mayHave && lines.admits(target, 1)) void lines.enter(target, 1, answer)
        }
    }
    claim()
    expect(underWay).toHaveLength(128)
    for (const end of underWay.splice(0)) end()
    await lines.empty()
    claim()
    expect(underWay).toHaveLength(25 * 8)
    for (const end of underWay.splice(0)) end()
  })
})
