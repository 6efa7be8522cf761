import { expect, it } from 'vitest'
import type { FromSupervisor } from './messages'
import { createSharedLimits, type SlotHolder } from './shared-limits'

const limits = {
  concurrency: 2,
  maxQueue: 1,
  timeoutMs: 60_000,
  address: 2,
  anonymousAddress: 1,
  anonymous: 2,
}

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Adds a process, and records which of its requests were granted or refused. */
function join(add: ReturnType<typeof createSharedLimits>) {
  const said: string[] = []
  const holder: SlotHolder = add((message: FromSupervisor) => {
    if ('id' in message) said.push(`${message.type} ${message.id}`)
  })
  const request = (id: number, address: string, isAnonymous = false): void =>
    holder.acquire({ type: 'acquire', id, name: 'git', limits, client: { address, isAnonymous } })
  return { said, request, release: holder.release, releaseAll: holder.releaseAll }
}

it('a limit and the share of an address hold for all processes together', async () => {
  const add = createSharedLimits()
  const [one, two] = [join(add), join(add)]
  one.request(1, '192.0.2.1', true)
  two.request(1, '192.0.2.1', true)
  two.request(2, '192.0.2.2')
  await tick()
  expect([one.said, two.said]).toEqual([['granted 1'], ['granted 2']])
  one.release(1)
  await tick()
  expect(two.said).toEqual(['granted 2', 'granted 1'])
})

it('the slots of a process that has ended are free for the others', async () => {
  const add = createSharedLimits()
  const [one, two] = [join(add), join(add)]
  one.request(1, '192.0.2.1')
  one.request(2, '192.0.2.1')
  two.request(1, '192.0.2.2')
  await tick()
  expect(two.said).toEqual([])
  one.releaseAll()
  await tick()
  expect(two.said).toEqual(['granted 1'])
})

it('a request beyond the queue is refused, and a withdrawn one leaves it', async () => {
  const add = createSharedLimits()
  const [one, two] = [join(add), join(add)]
  one.request(1, '192.0.2.1')
  one.request(2, '192.0.2.1')
  one.request(3, '192.0.2.1')
  await tick()
  one.request(4, '192.0.2.1')
  await tick()
  expect(one.said).toEqual(['granted 1', 'granted 2', 'refused 4'])
  one.release(3)
  await tick()
  two.request(1, '192.0.2.2')
  one.release(1)
  await tick()
  expect(two.said).toEqual(['granted 1'])
})
