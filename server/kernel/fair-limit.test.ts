import { expect, it } from 'vitest'
import { type Client, createFairLimit, type FairLimits } from './fair-limit'

class Refused extends Error {}

/** Creates a limit whose work is finished manually. */
function open(limits: Partial<FairLimits>) {
  const { concurrency = 12 } = limits
  const limit = createFairLimit(
    {
      concurrency,
      maxQueue: 100,
      timeoutMs: 60_000,
      address: concurrency / 2,
      anonymousAddress: concurrency / 4,
      anonymous: concurrency / 2,
      ...limits,
    },
    () => new Refused(),
  )
  const began: string[] = []
  const granted: number[] = []
  const ends: (() => void)[] = []
  const asked: Promise<unknown>[] = []
  const ask = (client: Client): Promise<void> => {
    const work = (slots: number) =>
      new Promise<void>(resolve => {
        began.push(client.address)
        granted.push(slots)
        ends.push(resolve)
      })
    const asking = limit(client, work)
    asked.push(asking.catch(() => undefined))
    return asking
  }
  const begin = (client: Client, times = 1): void => {
    for (let time = 0; time < times; time++) void ask(client).catch(() => undefined)
  }
  const endNext = async () => {
    ends.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  const endAll = async () => {
    while (ends.length > 0) await endNext()
    await Promise.all(asked)
  }
  return { limit, ask, begin, began, granted, endNext, endAll }
}

const person = (address: string): Client => ({ address, isAnonymous: false })
const stranger = (address: string): Client => ({ address, isAnonymous: true })

it('a fair limiter runs at most its share of work for one address, and queues the rest', async () => {
  const { begin, began, endNext, endAll } = open({ concurrency: 12 })
  begin(person('192.0.2.1'), 8)
  expect(began).toHaveLength(6)
  begin(person('192.0.2.2'))
  expect(began.at(-1)).toBe('192.0.2.2')
  await endNext()
  expect(began).toHaveLength(8)
  await endAll()
  expect(began).toHaveLength(9)
})

it('a fair limiter gives one anonymous address a smaller share than all anonymous addresses together, and those a smaller share than all clients', async () => {
  const { begin, began, endAll } = open({ concurrency: 12 })
  begin(stranger('192.0.2.1'), 20)
  expect(began).toHaveLength(3)
  begin(stranger('192.0.2.2'))
  begin(stranger('192.0.2.3'))
  expect(began.slice(3)).toEqual(['192.0.2.2', '192.0.2.3'])
  begin(stranger('192.0.2.4'), 20)
  expect(began).toHaveLength(6)
  begin(person('192.0.2.1'))
  expect(began).toHaveLength(7)
  await endAll()
  expect(began).toHaveLength(43)
})

const large = (address: string, slots: number): Client => ({ ...person(address), slots })

it('a fair limiter counts work that needs several slots as that many toward its shares', async () => {
  const { begin, began, endNext, endAll } = open({ concurrency: 12 })
  begin(large('a', 4), 2)
  expect(began.join('')).toBe('a')
  begin(person('a'), 2)
  expect(began.join('')).toBe('aaa')
  begin(person('c'))
  expect(began.join('')).toBe('aaac')
  await endNext()
  expect(began.join('')).toBe('aaaca')
  await endAll()
})

it('a fair limiter gives work that requests more slots than its client’s share exactly the share', async () => {
  const { begin, granted, endAll } = open({ concurrency: 12 })
  begin(large('a', 100))
  begin({ ...stranger('b'), slots: 100 })
  begin({ ...stranger(''), slots: 100 })
  expect(granted).toEqual([6, 3])
  await endAll()
  expect(granted).toEqual([6, 3, 6])
})

it('a fair limiter gives one account at most the share of one address, no matter how many addresses it uses', async () => {
  const { begin, began, endAll } = open({ concurrency: 12 })
  for (let count = 0; count < 12; count++) begin({ ...person(`192.0.2.${count}`), account: 7 })
  expect(began).toHaveLength(6)
  begin({ ...person('198.51.100.1'), account: 8 })
  expect(began).toHaveLength(7)
  await endAll()
  expect(began).toHaveLength(13)
})

/**
 * Lets one piece of work wait for six slots while small work starts and finishes around it, for a number of
 * rounds.
 */
async function crowd(rounds: number, disconnected?: AbortSignal) {
  const opened = open({ concurrency: 12, address: 12 })
  for (let count = 0; count < 11; count++) opened.begin(person(`192.0.2.${count}`))
  opened.begin({ ...large('large', 6), disconnected: () => disconnected ?? new AbortController().signal })
  for (let round = 0; round < rounds; round++) {
    opened.begin(person(`198.51.100.${round}`))
    await opened.endNext()
  }
  return opened
}

it('a fair limiter lets later work overtake work that waits for the same slots at most 16 times', async () => {
  const { began, endAll } = await crowd(60)
  expect(began.indexOf('large')).toBe(11 + 16)
  await endAll()
  expect(began).toHaveLength(11 + 1 + 60)
})

it('a fair limiter still lets work for other slots overtake work that was overtaken 16 times', async () => {
  const { begin, began, endNext, endAll } = open({ concurrency: 100, address: 12 })
  begin(person('a'), 8)
  begin(large('a', 6))
  begin(person('b'))
  for (let round = 0; round < 40; round++) {
    begin(person('a'))
    await endNext()
    begin(person(`192.0.2.${round}`))
    expect(began.at(-1)).toBe(`192.0.2.${round}`)
  }
  await endAll()
})

it('a fair limiter lets in the work behind a client that was overtaken 16 times and then disconnects', async () => {
  const leaving = new AbortController()
  const { begin, began, endAll } = await crowd(16, leaving.signal)
  begin(person('next'))
  expect(began.at(-1)).not.toBe('next')
  leaving.abort()
  await new Promise(resolve => setImmediate(resolve))
  expect(began.at(-1)).toBe('next')
  await endAll()
})

it('a fair limiter counts the addresses of one IPv6 network as one client', async () => {
  const { begin, began, endAll } = open({ concurrency: 8 })
  for (let count = 0; count < 8; count++) begin(person(`2001:db8:1:${count}::1`))
  expect(began).toHaveLength(4)
  await endAll()
})

it('a fair limiter counts each request without a known address as its own client', async () => {
  const { begin, began, endAll } = open({ concurrency: 12 })
  begin(person(''), 12)
  expect(began).toHaveLength(12)
  await endAll()
})

it('a fair limiter serves waiting addresses in turn, no matter how much work each of them queues', async () => {
  const { begin, began, endAll } = open({ concurrency: 2, address: 2 })
  begin(person('a'), 10)
  begin(person('b'), 2)
  begin(person('c'))
  await endAll()
  expect(began.slice(0, 7).join('')).toBe('aaabcab')
})

it('a fair limiter with a full queue drops the newest entry of the client with the most entries', async () => {
  const { ask, begin, began, endAll } = open({ concurrency: 1, maxQueue: 4, address: 1 })
  begin(person('a'), 4)
  const last = ask(person('a'))
  const refused = expect(last).rejects.toThrow(Refused)
  begin(person('b'))
  await refused
  await expect(ask(person('a'))).rejects.toThrow(Refused)
  await endAll()
  expect(began.join('')).toBe('aabaa')
})

it('a fair limiter with a full queue refuses work from a client that has as many entries as the others', async () => {
  const { ask, begin, began, endAll } = open({ concurrency: 1, maxQueue: 2, address: 1 })
  begin(person('a'))
  begin(person('b'))
  begin(person('c'))
  await expect(ask(person('d'))).rejects.toThrow(Refused)
  await endAll()
  expect(began.join('')).toBe('abc')
})

it('a fair limiter removes a client that disconnects from the queue', async () => {
  const { ask, begin, began, endAll } = open({ concurrency: 1, maxQueue: 1, address: 1 })
  begin(person('a'))
  const leaving = new AbortController()
  const waiting = ask({ ...person('b'), disconnected: () => leaving.signal })
  leaving.abort()
  await expect(waiting).rejects.toThrow(Refused)
  await expect(ask({ ...person('c'), disconnected: () => leaving.signal })).rejects.toThrow(Refused)
  begin(person('d'))
  await endAll()
  expect(began.join('')).toBe('ad')
})

it('a fair limiter refuses a client that waits too long and removes it from the queue', async () => {
  const { ask, begin, began, endAll } = open({ concurrency: 1, address: 1, timeoutMs: 5 })
  begin(person('a'))
  await expect(ask(person('b'))).rejects.toThrow(Refused)
  await endAll()
  expect(began.join('')).toBe('a')
})

it('a fair limiter passes on the result or error of the work, and then releases its slots', async () => {
  const { limit } = open({ concurrency: 1, maxQueue: 0, address: 1 })
  await expect(limit(person('a'), () => Promise.reject(new RangeError('meant to')))).rejects.toThrow(
    RangeError,
  )
  await expect(limit(person('a'), async () => 7)).resolves.toBe(7)
})

it('a fair limiter never exceeds its number of slots and eventually runs all work', async () => {
  const { limit } = open({ concurrency: 5, address: 3, anonymousAddress: 2, anonymous: 4, maxQueue: 1000 })
  let running = 0
  let most = 0
  const work = async (slots: number) => {
    running += slots
    most = Math.max(most, running)
    await new Promise(resolve => setImmediate(resolve))
    running -= slots
  }
  const asked = Array.from({ length: 500 }, (_, count) => {
    const address = `192.0.2.${(count * 7) % 11}`
    const client = { address, isAnonymous: count % 3 > 0, slots: 1 + ((count * 3) % 4) }
    return limit(client, work)
  })
  await Promise.all(asked)
  expect([running, most]).toEqual([0, 5])
})
