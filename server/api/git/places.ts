import { availableParallelism } from 'node:os'
import { addressGroup } from '@/server/kernel/auth/address-group'
import { createTurnstile } from '@/server/kernel/turnstile'
import { GitRefusal } from './refusal'

export interface Limits {
  atOnce: number
  waiting: number
}

/** Who asks for a place; the address is empty where nobody tells it. */
export interface Asker {
  address: string
  isAnonymous: boolean
}

/** Does work in a place of its own. Throws a refusal that says when to come again. */
export type Places = (asker: Asker, work: () => Promise<void>) => Promise<void>

// A slow client holds its place for as long as it takes, so there are more places than processors.
export const usualLimits: Limits = { atOnce: 16 + 4 * availableParallelism(), waiting: 100 }

// What one person may well do at once.
const leastShare = 4

/**
 * Makes places, of which one address holds or waits for no more than half, or four where half is less, and all who are
 * not signed in together no more than half: slow readers cannot keep everybody else out.
 */
export function createPlaces(limits: Limits): Places {
  const turnstile = createTurnstile(limits)
  const half = Math.ceil(limits.atOnce / 2)
  const held = new Map<string, number>()
  const heldBy = (holder: string): number => held.get(holder) ?? 0

  function sharesOf({ address, isAnonymous }: Asker): { holder: string; most: number }[] {
    const shares = []
    if (address) shares.push({ holder: addressGroup(address), most: Math.max(half, leastShare) })
    if (isAnonymous) shares.push({ holder: 'anonymous', most: half })
    return shares
  }

  function leave(holder: string): void {
    const left = heldBy(holder) - 1
    if (left > 0) held.set(holder, left)
    else held.delete(holder)
  }

  return async (asker, work) => {
    const shares = sharesOf(asker)
    if (shares.some(({ holder, most }) => heldBy(holder) >= most)) throw tooMuch()
    for (const { holder } of shares) held.set(holder, heldBy(holder) + 1)
    let entered = false
    try {
      await turnstile(() => {
        entered = true
        return work()
      })
    } catch (error) {
      throw entered ? error : tooMuch()
    } finally {
      for (const { holder } of shares) leave(holder)
    }
  }
}

const tooMuch = (): GitRefusal =>
  new GitRefusal(503, 'Too much is being fetched and pushed at the moment; try again shortly.', {
    'Retry-After': '5',
  })
