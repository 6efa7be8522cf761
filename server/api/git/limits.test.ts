import { expect, it } from 'vitest'
import type { Client } from '@/server/kernel/fair-limit'
import { defaultMemory, type GitMemory, memoryFor } from '@/server/kernel/git/memory'
import { createGitMemory, createSlots, defaultLimits, paceFor } from './limits'

/** Returns how many of this number of concurrent clients are admitted. */
async function letIn(
  concurrency: number,
  clients: { address: string; isAnonymous: boolean }[],
): Promise<number> {
  const slots = createSlots('test', { ...defaultLimits, concurrency, maxQueue: 0 })
  const ends: (() => void)[] = []
  const asked = clients.map(client => slots(client, () => new Promise<void>(resolve => ends.push(resolve))))
  const outcomes = Promise.allSettled(asked)
  for (const end of ends) end()
  const refused = (await outcomes).filter(outcome => outcome.status === 'rejected')
  for (const { reason } of refused)
    expect(reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  return clients.length - refused.length
}

const many = (isAnonymous: boolean, address: (count: number) => string) =>
  Array.from({ length: 100 }, (_, count) => ({ address: address(count), isAnonymous }))

it.each([
  [24, 12, 6, 12],
  [12, 6, 3, 6],
  [1, 1, 1, 1],
])(
  'of %i slots one address gets %i, an anonymous address %i, and all anonymous clients %i',
  async (concurrency, ...shares) => {
    const [address, anonymousAddress, anonymous] = shares
    expect(
      await letIn(
        concurrency,
        many(false, () => '192.0.2.1'),
      ),
    ).toBe(address)
    expect(
      await letIn(
        concurrency,
        many(true, () => '192.0.2.1'),
      ),
    ).toBe(anonymousAddress)
    expect(
      await letIn(
        concurrency,
        many(true, count => `192.0.2.${count}`),
      ),
    ).toBe(anonymous)
    expect(
      await letIn(
        concurrency,
        many(false, count => `192.0.2.${count}`),
      ),
    ).toBe(concurrency)
  },
)

/**
 * Returns how many of this number of Git commands get the requested amount of memory concurrently, and the
 * MiB that each gets.
 */
async function granted(
  mib: number,
  wanted: GitMemory,
  clients: Client[],
): Promise<{ gits: number; each: number }> {
  const memory = createGitMemory(mib * 1024 * 1024, { ...defaultLimits, maxQueue: 0 })
  const ends: (() => void)[] = []
  const allowed: GitMemory[] = []
  const asked = clients.map(client =>
    memory(client)(wanted, async got => {
      allowed.push(got)
      await new Promise<void>(resolve => ends.push(resolve))
    }),
  )
  const outcomes = Promise.allSettled(asked)
  for (const end of ends) end()
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  }
  return { gits: allowed.length, each: (allowed[0]?.totalKib ?? 0) / 1024 }
}

const people = many(false, count => `192.0.2.${count}`)
const onePerson = many(false, () => '192.0.2.1')
const oneStranger = many(true, () => '192.0.2.1')
const strangers = many(true, count => `192.0.2.${count}`)
const oneAccount = people.map(person => ({ ...person, account: 1 }))
const everything = memoryFor({ storedKib: 2 ** 30, objects: 2 ** 32 })

it('all Git processes together never get more memory than the budget', async () => {
  for (const mib of [1024, 4096]) {
    for (const wanted of [defaultMemory, memoryFor({ storedKib: 50 * 1024, objects: 100_000 }), everything]) {
      const { gits, each } = await granted(mib, wanted, people)
      expect(gits).toBeGreaterThan(0)
      expect(gits * each).toBeLessThanOrEqual(mib)
    }
  }
})

it('one Git process never gets more than a quarter of the memory', async () => {
  for (const mib of [1024, 4096]) {
    const each = mib / 4 - 32
    expect(await granted(mib, everything, people)).toEqual({ gits: 4, each })
    expect(await granted(mib, everything, onePerson)).toEqual({ gits: 2, each })
    expect(await granted(mib, everything, oneAccount)).toEqual({ gits: 2, each })
    expect(await granted(mib, everything, oneStranger)).toEqual({ gits: 1, each })
    expect(await granted(mib, everything, strangers)).toEqual({ gits: 2, each })
  }
})

it('with the minimum memory an address can run three Git processes of default size, an anonymous address two', async () => {
  const gitsOf = async (clients: Client[]) => (await granted(1024, defaultMemory, clients)).gits
  expect(await gitsOf(onePerson)).toBe(3)
  expect(await gitsOf(oneStranger)).toBe(2)
})

it('with 4 GiB the Git process of a push of 1.3 million objects gets all the memory it wants', async () => {
  const wanted = memoryFor({ storedKib: 0, objects: 1_300_000 })
  expect((await granted(4096, wanted, onePerson)).each).toBe(wanted.totalKib / 1024)
})

it('the minimum pace of a client grows with the memory of its Git process', () => {
  const pace = { graceMs: 1000, bytesPerSecond: 4096 }
  const { totalKib, objectKib } = defaultMemory
  expect(paceFor(pace, defaultMemory)).toEqual(pace)
  expect(paceFor(pace, { totalKib: 3 * totalKib, objectKib })).toEqual({ ...pace, bytesPerSecond: 3 * 4096 })
})

it('an address and an account get half of the memory for Git, an anonymous address a quarter, all anonymous clients half', async () => {
  const each = 128
  expect(await granted(3200, defaultMemory, people)).toEqual({ gits: 20, each })
  expect(await granted(3200, defaultMemory, onePerson)).toEqual({ gits: 10, each })
  expect(await granted(3200, defaultMemory, oneAccount)).toEqual({ gits: 10, each })
  expect(await granted(3200, defaultMemory, oneStranger)).toEqual({ gits: 5, each })
  expect(await granted(3200, defaultMemory, strangers)).toEqual({ gits: 10, each })
})
