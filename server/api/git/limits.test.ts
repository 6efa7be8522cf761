import { expect, it } from 'vitest'
import { type GitMemory, memoryFor, usualMemory } from '@/server/kernel/git/memory'
import { createGitMemory, createPlaces, usualLimits } from './limits'

/** How many of so many askers at once are let in. */
async function letIn(atOnce: number, askers: { address: string; isAnonymous: boolean }[]): Promise<number> {
  const places = createPlaces({ ...usualLimits, atOnce, waiting: 0 })
  const ends: (() => void)[] = []
  const asked = askers.map(asker => places(asker, () => new Promise<void>(resolve => ends.push(resolve))))
  const outcomes = Promise.allSettled(asked)
  for (const end of ends) end()
  const refused = (await outcomes).filter(outcome => outcome.status === 'rejected')
  for (const { reason } of refused)
    expect(reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  return askers.length - refused.length
}

const many = (isAnonymous: boolean, address: (count: number) => string) =>
  Array.from({ length: 100 }, (_, count) => ({ address: address(count), isAnonymous }))

it.each([
  [24, 12, 6, 12],
  [12, 6, 3, 6],
  [1, 1, 1, 1],
])(
  'of %i places an address gets %i, one where nobody signed in %i, all of those %i',
  async (atOnce, ...shares) => {
    const [address, anonymousAddress, anonymous] = shares
    expect(
      await letIn(
        atOnce,
        many(false, () => '192.0.2.1'),
      ),
    ).toBe(address)
    expect(
      await letIn(
        atOnce,
        many(true, () => '192.0.2.1'),
      ),
    ).toBe(anonymousAddress)
    expect(
      await letIn(
        atOnce,
        many(true, count => `192.0.2.${count}`),
      ),
    ).toBe(anonymous)
    expect(
      await letIn(
        atOnce,
        many(false, count => `192.0.2.${count}`),
      ),
    ).toBe(atOnce)
  },
)

/** How many of so many gits that want this much are given memory at once, and what each gets, in MiB. */
async function granted(
  mib: number,
  wanted: GitMemory,
  askers: { address: string; isAnonymous: boolean }[],
): Promise<{ gits: number; each: number }> {
  const memory = createGitMemory(mib * 1024 * 1024, { ...usualLimits, waiting: 0 })
  const ends: (() => void)[] = []
  const given: GitMemory[] = []
  const asked = askers.map(asker =>
    memory(asker)(wanted, async got => {
      given.push(got)
      await new Promise<void>(resolve => ends.push(resolve))
    }),
  )
  const outcomes = Promise.allSettled(asked)
  for (const end of ends) end()
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  }
  return { gits: given.length, each: (given[0]?.totalKib ?? 0) / 1024 }
}

const people = many(false, count => `192.0.2.${count}`)
const onePerson = many(false, () => '192.0.2.1')
const oneStranger = many(true, () => '192.0.2.1')
const strangers = many(true, count => `192.0.2.${count}`)

it('all gits together are never given more memory than there is, however much each wants', async () => {
  const everything = memoryFor({ storedKib: 2 ** 30, objects: 2 ** 32 })
  for (const mib of [512, 1024, 4096]) {
    for (const wanted of [usualMemory, memoryFor({ storedKib: 50 * 1024, objects: 100_000 }), everything]) {
      const { gits, each } = await granted(mib, wanted, people)
      expect(gits).toBeGreaterThan(0)
      expect(gits * each).toBeLessThanOrEqual(mib)
    }
  }
  expect(await granted(4096, everything, people)).toEqual({ gits: 2, each: 4096 / 2 - 32 })
})

it('an address gets half of the memory for git, one where nobody signed in a quarter, all of those half', async () => {
  const each = 128
  expect(await granted(3200, usualMemory, people)).toEqual({ gits: 20, each })
  expect(await granted(3200, usualMemory, onePerson)).toEqual({ gits: 10, each })
  expect(await granted(3200, usualMemory, oneStranger)).toEqual({ gits: 5, each })
  expect(await granted(3200, usualMemory, strangers)).toEqual({ gits: 10, each })
})
