import { availableParallelism } from 'node:os'
import { type Asker, createFairLimit, type FairLimit } from '@/server/kernel/fair-limit'
import { type GitMemory, usualMemory } from '@/server/kernel/git/memory'
import { GitHttpError } from './errors'
import type { Pace } from './pace'

export interface GitLimits {
  /** Of listings, of fetches and of pushes, each. */
  atOnce: number
  waiting: number
  patienceMs: number
  /** Of what a fetch asks for, which is text; and how many may be asking from one address, half where nobody signed in. */
  question: Pace
  askingAtAddress: number
  /** Of packs, in either direction. */
  pack: Pace
}

export const usualLimits: GitLimits = {
  // Clients hold their places for as long as they take, so there are more places than processors.
  atOnce: 16 + 4 * availableParallelism(),
  waiting: 100,
  patienceMs: 30_000,
  question: { patienceMs: 30_000, bytesPerSecond: 4096 },
  askingAtAddress: 256,
  pack: { patienceMs: 120_000, bytesPerSecond: 4096 },
}

// What one person may well do at once, and a program that asks for two things together.
const [leastShare, leastAnonymousShare] = [4, 2]

/**
 * Makes places, of which one address and one account get half, all together who are not signed in get half, and one
 * address of theirs a quarter: one slow client cannot keep everybody else out. Throws a refusal that says when to come
 * again.
 */
export function createPlaces({ atOnce, waiting, patienceMs }: GitLimits): FairLimit {
  const half = Math.ceil(atOnce / 2)
  const shares = {
    address: Math.max(half, leastShare),
    anonymousAddress: Math.max(Math.ceil(atOnce / 4), leastAnonymousShare),
    anonymous: Math.max(half, leastAnonymousShare),
  }
  return createFairLimit({ atOnce, waiting, patienceMs, ...shares }, tooMuch)
}

/**
 * Makes places for reading what fetches ask for. An address has so many and not more; there is room for all together, since
 * each holds little. Throws a refusal that says when to come again.
 */
export function createAskingPlaces({ waiting, patienceMs, askingAtAddress }: GitLimits): FairLimit {
  const anonymousAddress = Math.ceil(askingAtAddress / 2)
  const shares = { address: askingAtAddress, anonymousAddress, anonymous: Infinity }
  return createFairLimit({ atOnce: Infinity, waiting, patienceMs, ...shares }, tooMuch)
}

/** Does work with a git that gets what it wants of memory, or as much as one may have, once that is free. */
export type Reserve = (wanted: GitMemory, work: (granted: GitMemory) => Promise<void>) => Promise<void>

// The git that reads refs and requests, beside the one that goes through the objects.
const besideKib = 32 * 1024

/**
 * Makes the memory that all gits of fetches and pushes, and those that tidy up, share. One of them gets a quarter of it at
 * most, an address and an account hold half, an address where nobody signed in a quarter, all of those half. Throws a
 * refusal that says when to come again.
 */
export function createGitMemory(
  bytes: number,
  { waiting, patienceMs }: Pick<GitLimits, 'waiting' | 'patienceMs'>,
): (asker: Asker) => Reserve {
  const atOnce = Math.floor(bytes / 1024)
  const [half, quarter] = [Math.floor(atOnce / 2), Math.floor(atOnce / 4)]
  const anonymousAddress = Math.max(quarter, leastAnonymousShare * (usualMemory.totalKib + besideKib))
  const shares = { address: half, anonymousAddress, anonymous: half }
  const limit = createFairLimit({ atOnce, waiting, patienceMs, ...shares }, tooMuch)
  return asker => (wanted, work) =>
    limit({ ...asker, places: Math.min(wanted.totalKib + besideKib, quarter) }, givenKib => {
      const totalKib = givenKib - besideKib
      return work({ totalKib, objectKib: Math.min(wanted.objectKib, totalKib) })
    })
}

/** The pace of a client for whose git more memory than usual is set aside: the more, the faster it must be. */
export const paceFor = (pace: Pace, { totalKib }: GitMemory): Pace => ({
  ...pace,
  bytesPerSecond: pace.bytesPerSecond * Math.max(1, totalKib / usualMemory.totalKib),
})

const tooMuch = (): GitHttpError =>
  new GitHttpError(503, 'Too much is being fetched and pushed at the moment; try again shortly.', {
    'Retry-After': '5',
  })
