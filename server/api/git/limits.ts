import { availableParallelism } from 'node:os'
import type { Client, FairLimit } from '@/server/kernel/fair-limit'
import { defaultMemory, type GitMemory } from '@/server/kernel/git/memory'
import type { Pace } from '@/server/kernel/http/pace'
import { createSharedFairLimit } from '@/server/kernel/processes/shared-fair-limit'
import type { Services } from '@/server/services'
import { GitHttpError } from './errors'

export interface GitLimits {
  /** Maximum concurrent listings, fetches and pushes, each. */
  concurrency: number
  maxQueue: number
  timeoutMs: number
  /**
   * Maximum size of a fetch request, which is text, in bytes; and how many one address can send concurrently, half as
   * many for anonymous ones.
   */
  question: Pace
  maxQuestionsOfAddress: number
  /** Slowest accepted pace of packs, in either direction. */
  pack: Pace
}

export const defaultLimits: GitLimits = {
  // Clients hold a slot for as long as they need, so there are more slots than processors.
  concurrency: 16 + 4 * availableParallelism(),
  maxQueue: 100,
  timeoutMs: 30_000,
  question: { graceMs: 30_000, bytesPerSecond: 4096 },
  maxQuestionsOfAddress: 256,
  pack: { graceMs: 120_000, bytesPerSecond: 4096 },
}

// Enough for one person's concurrent commands, and for a program that runs two at a time.
const [minShare, minAnonymousShare] = [4, 2]

// Unlike Infinity, it can be sent as JSON.
const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Creates a concurrency limiter with fair shares, so that slow clients cannot block others. One address and one
 * account get at most half of the slots, all anonymous clients together half, and one anonymous address a quarter.
 * Requests that get no slot are refused with GitHttpError 503 and Retry-After.
 */
export function createSlots(name: string, { concurrency, maxQueue, timeoutMs }: GitLimits): FairLimit {
  const half = Math.ceil(concurrency / 2)
  const shares = {
    address: Math.max(half, minShare),
    anonymousAddress: Math.max(Math.ceil(concurrency / 4), minAnonymousShare),
    anonymous: Math.max(half, minAnonymousShare),
  }
  return createSharedFairLimit(`git ${name}`, { concurrency, maxQueue, timeoutMs, ...shares }, tooMuch)
}

/**
 * Creates a limiter for reading fetch requests. Each address can send a number of them concurrently; there is no total
 * limit, because each holds little memory. Refuses with GitHttpError 503.
 */
export function createQuestionSlots({ maxQueue, timeoutMs, maxQuestionsOfAddress }: GitLimits): FairLimit {
  const anonymousAddress = Math.ceil(maxQuestionsOfAddress / 2)
  const shares = { address: maxQuestionsOfAddress, anonymousAddress, anonymous: noLimit }
  const limits = { concurrency: noLimit, maxQueue, timeoutMs, ...shares }
  return createSharedFairLimit('git questions', limits, tooMuch)
}

/** Runs work with a Git process once the memory it wants is free, or as much as one process can have. */
export type Reserve = (wanted: GitMemory, work: (granted: GitMemory) => Promise<void>) => Promise<void>

// For the Git process that reads refs and requests, in addition to the one that reads the objects.
const overheadKib = 32 * 1024

/**
 * Creates the memory budget, in bytes, that the Git processes of all fetches, pushes and maintenance share. One
 * process gets at most a quarter of it. An address and an account hold at most half, an anonymous address a quarter,
 * and all anonymous clients together half. Refuses with GitHttpError 503.
 */
export function createGitMemory(
  bytes: number,
  { maxQueue, timeoutMs }: Pick<GitLimits, 'maxQueue' | 'timeoutMs'>,
): (client: Client) => Reserve {
  const concurrency = Math.floor(bytes / 1024)
  const [half, quarter] = [Math.floor(concurrency / 2), Math.floor(concurrency / 4)]
  const anonymousAddress = Math.max(quarter, minAnonymousShare * (defaultMemory.totalKib + overheadKib))
  const shares = { address: half, anonymousAddress, anonymous: half }
  const limit = createSharedFairLimit('git memory', { concurrency, maxQueue, timeoutMs, ...shares }, tooMuch)
  return client => (wanted, work) =>
    limit({ ...client, slots: Math.min(wanted.totalKib + overheadKib, quarter) }, grantedKib => {
      const totalKib = grantedKib - overheadKib
      return work({ totalKib, objectKib: Math.min(wanted.objectKib, totalKib) })
    })
}

/**
 * Queues that Git processes wait in, whatever transport their client uses. Listings, fetches and pushes have separate
 * slots.
 */
export interface GitQueues {
  listings: FairLimit
  questions: FairLimit
  fetches: FairLimit
  pushes: FairLimit
  memory: (client: Client) => Reserve
}

const allQueues = new WeakMap<Services, GitQueues>()

/** Returns the queues of these services, which all adapters share; new ones for limits other than the default. */
export function gitQueuesOf(services: Services, limits: GitLimits): GitQueues {
  const known = limits === defaultLimits ? allQueues.get(services) : undefined
  if (known) return known
  const made = {
    listings: createSlots('listings', limits),
    questions: createQuestionSlots(limits),
    fetches: createSlots('fetches', limits),
    pushes: createSlots('pushes', limits),
    memory: gitMemoryOf(services, limits),
  }
  if (limits === defaultLimits) allQueues.set(services, made)
  return made
}

const budgets = new WeakMap<Services, (client: Client) => Reserve>()

/** Returns the memory budget for all Git processes of these services, which all adapters share. */
export function gitMemoryOf(
  services: Services,
  limits: GitLimits = defaultLimits,
): (client: Client) => Reserve {
  const known = budgets.get(services)
  if (known) return known
  const made = createGitMemory(services.config.gitMemoryBytes, limits)
  budgets.set(services, made)
  return made
}

/**
 * Returns the slowest accepted pace of a client: the more memory its Git process has beyond the default, the faster it
 * must be.
 */
export const paceFor = (pace: Pace, { totalKib }: GitMemory): Pace => ({
  ...pace,
  bytesPerSecond: pace.bytesPerSecond * Math.max(1, totalKib / defaultMemory.totalKib),
})

const tooMuch = (): GitHttpError =>
  new GitHttpError(503, 'Too many fetches and pushes are running; try again shortly.', {
    'Retry-After': '5',
  })
