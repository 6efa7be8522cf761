import { expect, it } from 'vitest'
import { createPlaces, usualLimits } from './limits'

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
