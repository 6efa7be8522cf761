import { availableParallelism } from 'node:os'
import { createFairLimit, type FairLimit } from '@/server/kernel/fair-limit'
import type { Pace } from './pace'
import { GitRefusal } from './refusal'

export interface GitLimits {
  /** Of listings, of fetches and of pushes, each. */
  atOnce: number
  waiting: number
  patienceMs: number
  /** Of what a fetch asks for, which is text. */
  question: Pace
  /** Of packs, in either direction. */
  pack: Pace
}

export const usualLimits: GitLimits = {
  // Clients hold their places for as long as they take, so there are more places than processors.
  atOnce: 16 + 4 * availableParallelism(),
  waiting: 100,
  patienceMs: 30_000,
  question: { patienceMs: 30_000, bytesPerSecond: 4096 },
  pack: { patienceMs: 120_000, bytesPerSecond: 4096 },
}

// What one person may well do at once, and a program that asks for two things together.
const [leastShare, leastAnonymousShare] = [4, 2]

/**
 * Makes places, of which one address gets half, all together who are not signed in get half, and one address of theirs a
 * quarter: slow clients cannot keep everybody else out. Throws a refusal that says when to come again.
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

const tooMuch = (): GitRefusal =>
  new GitRefusal(503, 'Too much is being fetched and pushed at the moment; try again shortly.', {
    'Retry-After': '5',
  })
