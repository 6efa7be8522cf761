import { createFairQueue } from './fair-queue'
import { addressNetwork } from './ip-address'

/**
 * Limits of a fair concurrency limiter: the concurrency slots in total and per client, and the size and
 * timeout of the queue.
 */
export interface FairLimits {
  /** Number of slots. */
  concurrency: number
  /** Maximum number of waiting pieces of work. */
  maxQueue: number
  /** How long work can wait, in milliseconds. */
  timeoutMs: number
  /** Most slots that one address, and one account, can hold. */
  address: number
  /** Most slots that one address without a signed-in person can hold. */
  anonymousAddress: number
  /** Most slots that all clients without a signed-in person can hold together. */
  anonymous: number
}

/** Client on whose behalf a fair concurrency limiter runs work, identified by IP address and account. */
export interface Client {
  /** Empty if unknown. Clients without an address do not count as one. */
  address: string
  isAnonymous: boolean
  /** Id of the signed-in account. */
  account?: number | undefined
  /** Number of slots that the work wants; one by default. */
  slots?: number
  /** Group whose queued work takes turns with that of other groups; by default, each address is a group. */
  lane?: string | undefined
  /** Returns a signal that is aborted when the client disconnects. Called only if the work has to wait. */
  disconnected?: (() => AbortSignal) | undefined
}

/**
 * Runs work for a client once enough concurrency slots are free, and passes it the number of slots: as many
 * as the client requests, or the most that the client can hold.
 * @throws {Error} the limiter's refusal error, if the queue is full, the wait is too long, or the client
 * disconnects
 */
export type FairLimit = <T>(client: Client, work: (slots: number) => Promise<T>) => Promise<T>

/** The slots that work needs, and the maximum of each group of clients that they count toward. */
interface Claim {
  slots: number
  shares: ReadonlyMap<string, number>
}

interface Waiting {
  claim: Claim
  /** How often other work overtook it and took slots that it waits for. */
  passed: number
  enter(): void
  refuse(): void
}

// Small work can overtake large work that lacks slots, but only this often.
const maxPassed = 16

/**
 * Creates a concurrency limiter with fair shares: one IP address or account can hold only its share of the
 * concurrency slots, so that the rest stays free for others. Queued work starts round-robin by address. If
 * the queue is full, the client with the most queued entries loses its last one. An IPv6 /48 network counts
 * as one address.
 * @param refusal Creates the error for work that is refused.
 */
export function createFairLimit(limits: FairLimits, refusal: () => Error): FairLimit {
  const { begin, end } = createShares()
  const queue = createFairQueue<Waiting>(limits.maxQueue)

  function letIn(): void {
    while (letNextIn()) {}
  }

  function letNextIn(): boolean {
    const inFront: Waiting[] = []
    for (const [lane, first] of queue.heads()) {
      if (!begin(first.claim, inFront)) {
        inFront.push(first)
        continue
      }
      queue.remove(lane, first)
      queue.moveToEnd(lane)
      first.enter()
      return true
    }
    return false
  }

  async function waitForTurn(client: Client, claim: Claim): Promise<void> {
    const lane = client.lane ?? `${addressNetwork(client.address)} ${client.isAnonymous}`
    const disconnected = client.disconnected?.()
    if (disconnected?.aborted) throw refusal()
    const { hasRoom, evicted } = queue.makeRoom(lane)
    evicted?.refuse()
    if (!hasRoom) throw refusal()
    let giveUp = (): void => undefined
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((enter, reject) => {
        const entry = { claim, passed: 0, enter, refuse: () => reject(refusal()) }
        giveUp = () => {
          queue.remove(lane, entry)
          entry.refuse()
          // Others may have waited only because this one was overtaken so often.
          letIn()
        }
        queue.push(lane, entry)
        timer = setTimeout(giveUp, limits.timeoutMs)
        disconnected?.addEventListener('abort', giveUp)
      })
    } finally {
      clearTimeout(timer)
      disconnected?.removeEventListener('abort', giveUp)
    }
  }

  return async (client, work) => {
    const claim = claimOf(client, limits)
    const inFront = queue.heads().map(([, first]) => first)
    // Work that can start never waits: whenever work ends or gives up, everything that can start then is started.
    if (!begin(claim, inFront)) await waitForTurn(client, claim)
    try {
      return await work(claim.slots)
    } finally {
      end(claim)
      letIn()
    }
  }
}

/** Counts the slots that each holder has. */
function createShares() {
  const held = new Map<string, number>()
  const heldBy = (holder: string): number => held.get(holder) ?? 0

  function count({ shares }: Claim, slots: number): void {
    for (const holder of shares.keys()) {
      const now = heldBy(holder) + slots
      if (now > 0) held.set(holder, now)
      else held.delete(holder)
    }
  }

  const lacking = ({ slots, shares }: Claim): string[] =>
    [...shares].flatMap(([holder, max]) => (heldBy(holder) + slots > max ? [holder] : []))

  return {
    /**
     * Takes the slots, unless too few are free, or unless work further ahead in the queue needs some of them
     * and was overtaken too often.
     */
    begin(claim: Claim, inFront: readonly Waiting[]): boolean {
      if (lacking(claim).length > 0) return false
      const passed = inFront.filter(other => lacking(other.claim).some(holder => claim.shares.has(holder)))
      if (passed.some(other => other.passed >= maxPassed)) return false
      for (const other of passed) other.passed++
      count(claim, claim.slots)
      return true
    },
    end: (claim: Claim): void => count(claim, -claim.slots),
  }
}

function claimOf({ address, isAnonymous, account, slots = 1 }: Client, limits: FairLimits): Claim {
  const network = addressNetwork(address)
  const shares = new Map([['everyone', limits.concurrency]])
  if (network) shares.set(network, limits.address)
  if (account !== undefined) shares.set(`account ${account}`, limits.address)
  if (network && isAnonymous) shares.set(`anonymous ${network}`, limits.anonymousAddress)
  if (isAnonymous) shares.set('anonymous', limits.anonymous)
  // More slots would never be free.
  return { slots: Math.min(slots, ...shares.values()), shares }
}
