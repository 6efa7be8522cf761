import { availableParallelism } from 'node:os'
import { type Client, createFairLimit, type FairLimit } from '@/server/kernel/fair-limit'
import { defaultMemory, type GitMemory } from '@/server/kernel/git/memory'
import type { Pace } from '@/server/kernel/http/pace'
import type { Services } from '@/server/services'
import { GitHttpError } from './errors'

export interface GitLimits {
  /** Of listings, of fetches and of pushes, each. */
  concurrency: number
  maxQueue: number
  timeoutMs: number
  /** Of what a fetch asks for, which is text; and how many may be asking from one address, half where nobody signed in. */
  question: Pace
  maxQuestionsOfAddress: number
  /** Of packs, in either direction. */
  pack: Pace
}

export const defaultLimits: GitLimits = {
  // Clients hold their slots for as long as they take, so there are more slots than processors.
  concurrency: 16 + 4 * availableParallelism(),
  maxQueue: 100,
  timeoutMs: 30_000,
  question: { graceMs: 30_000, bytesPerSecond: 4096 },
  maxQuestionsOfAddress: 256,
  pack: { graceMs: 120_000, bytesPerSecond: 4096 },
}

// What one person may well do at once, and a program that asks for two things together.
const [minShare, minAnonymousShare] = [4, 2]

/**
 * Creates a concurrency limiter with fair shares: one client address and one account each get at most half of the slots,
 * all anonymous clients together half, an address of theirs a quarter, so that slow clients cannot keep everybody else out.
 * What does not get a slot is refused with GitHttpError 503, which says when to come again.
 */
export function createSlots({ concurrency, maxQueue, timeoutMs }: GitLimits): FairLimit {
  const half = Math.ceil(concurrency / 2)
  const shares = {
    address: Math.max(half, minShare),
    anonymousAddress: Math.max(Math.ceil(concurrency / 4), minAnonymousShare),
    anonymous: Math.max(half, minAnonymousShare),
  }
  return createFairLimit({ concurrency, maxQueue, timeoutMs, ...shares }, tooMuch)
}

/**
 * Creates a limiter for reading what fetches ask for: so many at once for each address, without a limit for all together,
 * since each holds little. Refuses with GitHttpError 503.
 */
export function createQuestionSlots({ maxQueue, timeoutMs, maxQuestionsOfAddress }: GitLimits): FairLimit {
  const anonymousAddress = Math.ceil(maxQuestionsOfAddress / 2)
  const shares = { address: maxQuestionsOfAddress, anonymousAddress, anonymous: Infinity }
  return createFairLimit({ concurrency: Infinity, maxQueue, timeoutMs, ...shares }, tooMuch)
}

/** Does work with a git process that gets the memory it wants, or the most that one may have, once that is free. */
export type Reserve = (wanted: GitMemory, work: (granted: GitMemory) => Promise<void>) => Promise<void>

// The git that reads refs and requests, beside the one that goes through the objects.
const overheadKib = 32 * 1024

/**
 * Creates the budget of `bytes` that all git processes of fetches, pushes and tidying up share. One of them gets at most a
 * quarter of it; an address and an account hold at most half, an anonymous address a quarter, all of those together half.
 * Refuses with GitHttpError 503.
 */
export function createGitMemory(
  bytes: number,
  { maxQueue, timeoutMs }: Pick<GitLimits, 'maxQueue' | 'timeoutMs'>,
): (client: Client) => Reserve {
  const concurrency = Math.floor(bytes / 1024)
  const [half, quarter] = [Math.floor(concurrency / 2), Math.floor(concurrency / 4)]
  const anonymousAddress = Math.max(quarter, minAnonymousShare * (defaultMemory.totalKib + overheadKib))
  const shares = { address: half, anonymousAddress, anonymous: half }
  const limit = createFairLimit({ concurrency, maxQueue, timeoutMs, ...shares }, tooMuch)
  return client => (wanted, work) =>
    limit({ ...client, slots: Math.min(wanted.totalKib + overheadKib, quarter) }, grantedKib => {
      const totalKib = grantedKib - overheadKib
      return work({ totalKib, objectKib: Math.min(wanted.objectKib, totalKib) })
    })
}

/** What the git processes of all clients wait for, whichever way these came. Listings, fetches and pushes have slots each. */
export interface GitQueues {
  listings: FairLimit
  questions: FairLimit
  fetches: FairLimit
  pushes: FairLimit
  memory: (client: Client) => Reserve
}

const allQueues = new WeakMap<Services, GitQueues>()

/** The queues of these services, which every adapter shares; those of other limits than the usual are made anew. */
export function gitQueuesOf(services: Services, limits: GitLimits): GitQueues {
  const known = limits === defaultLimits ? allQueues.get(services) : undefined
  if (known) return known
  const made = {
    listings: createSlots(limits),
    questions: createQuestionSlots(limits),
    fetches: createSlots(limits),
    pushes: createSlots(limits),
    memory: gitMemoryOf(services, limits),
  }
  if (limits === defaultLimits) allQueues.set(services, made)
  return made
}

const budgets = new WeakMap<Services, (client: Client) => Reserve>()

/** The one budget of memory for all git processes of these services' clients, whichever adapter starts them. */
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

/** The pace of a client for whose git more memory than usual is set aside: the more, the faster it must be. */
export const paceFor = (pace: Pace, { totalKib }: GitMemory): Pace => ({
  ...pace,
  bytesPerSecond: pace.bytesPerSecond * Math.max(1, totalKib / defaultMemory.totalKib),
})

const tooMuch = (): GitHttpError =>
  new GitHttpError(503, 'Too much is being fetched and pushed at the moment; try again shortly.', {
    'Retry-After': '5',
  })
