import { addressNetwork } from './ip-address'

export interface FairLimits {
  /** How many slots there are for work to run in, and how many pieces of work may wait for some. */
  concurrency: number
  maxQueue: number
  /** The longest that work waits. */
  timeoutMs: number
  /**
   * The maximum of slots for one address and for one account, for an address where nobody has signed in, and for all
   * of those together.
   */
  address: number
  anonymousAddress: number
  anonymous: number
}

/** The client that work is done for. */
export interface Client {
  /** Empty where the host does not tell. Clients without an address do not count as one. */
  address: string
  isAnonymous: boolean
  /** The id of who has signed in. */
  account?: number | undefined
  /** The number of slots that the work would take; one by default. */
  slots?: number
  /** Whose work it takes turns with; by default that of its address. */
  lane?: string | undefined
  /** Aborted when nobody waits for the work anymore; asked for only by who has to wait. */
  disconnected?: (() => AbortSignal) | undefined
}

/**
 * Runs work when slots are free, and passes it how many it got: what it asked for, or the most its client may hold.
 * @throws {Error} the one the limiter was created with when the queue is full or the wait too long.
 */
export type FairLimit = <T>(client: Client, work: (slots: number) => Promise<T>) => Promise<T>

/** The slots that work is to be given, and the shares that it takes them from, by who holds them. */
interface Claim {
  slots: number
  shares: ReadonlyMap<string, number>
}

interface Waiting {
  claim: Claim
  /** How often others went first and took slots that this one waits for. */
  passed: number
  enter(): void
  refuse(): void
}

// Small work may use what large work cannot use yet, but not forever.
const maxPassed = 16

/**
 * Creates a concurrency limiter with fair shares: one address and one account hold at most their share, so that the
 * rest stays free for others. Waiting addresses take turns; when the queue is full, the client with most entries in
 * it makes room. An IPv6 network of 48 bits counts as one address.
 */
export function createFairLimit(limits: FairLimits, refusal: () => Error): FairLimit {
  const held = new Map<string, number>()
  // Each in the order in which its clients came; first the lane whose turn is next.
  const lanes = new Map<string, Waiting[]>()
  let waiting = 0

  const heldBy = (holder: string): number => held.get(holder) ?? 0

  function count({ shares }: Claim, slots: number): void {
    for (const holder of shares.keys()) {
      const now = heldBy(holder) + slots
      if (now > 0) held.set(holder, now)
      else held.delete(holder)
    }
  }

  /** The holders of shares with too little left. */
  const lacking = ({ slots, shares }: Claim): string[] =>
    [...shares].flatMap(([holder, max]) => (heldBy(holder) + slots > max ? [holder] : []))

  /** Takes the slots if there are enough, and none that somebody in front waits for and was passed too often. */
  function begin(claim: Claim, inFront: readonly Waiting[]): boolean {
    if (lacking(claim).length > 0) return false
    const passed = inFront.filter(other => lacking(other.claim).some(holder => claim.shares.has(holder)))
    if (passed.some(other => other.passed >= maxPassed)) return false
    for (const other of passed) other.passed++
    count(claim, claim.slots)
    return true
  }

  function letIn(): void {
    while (letNextIn()) {}
  }

  function letNextIn(): boolean {
    const inFront: Waiting[] = []
    for (const [name, lane] of lanes) {
      const [first] = lane
      if (!first) continue
      if (!begin(first.claim, inFront)) {
        inFront.push(first)
        continue
      }
      leave(name, first)
      const rest = lanes.get(name)
      // Its next one has the last turn of all.
      if (rest && lanes.delete(name)) lanes.set(name, rest)
      first.enter()
      return true
    }
    return false
  }

  function leave(name: string, entry: Waiting): void {
    const lane = lanes.get(name) ?? []
    const at = lane.indexOf(entry)
    if (at < 0) return
    lane.splice(at, 1)
    waiting--
    if (lane.length === 0) lanes.delete(name)
  }

  /** Makes room for one more in this lane, if another one is longer than it would be then. */
  function makeRoom(name: string): boolean {
    if (waiting < limits.maxQueue) return true
    const [longest, lane] = [...lanes].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', []])
    if (lane.length <= (lanes.get(name)?.length ?? 0) + 1) return false
    const last = lane.at(-1)
    if (last) leave(longest, last)
    last?.refuse()
    return true
  }

  async function waitForTurn(client: Client, claim: Claim): Promise<void> {
    const name = client.lane ?? `${addressNetwork(client.address)} ${client.isAnonymous}`
    const disconnected = client.disconnected?.()
    if (disconnected?.aborted || !makeRoom(name)) throw refusal()
    let giveUp = (): void => undefined
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((enter, reject) => {
        const entry = { claim, passed: 0, enter, refuse: () => reject(refusal()) }
        giveUp = () => {
          leave(name, entry)
          entry.refuse()
          // Others may have waited only because this one was passed so often.
          letIn()
        }
        const lane = lanes.get(name)
        if (lane) lane.push(entry)
        else lanes.set(name, [entry])
        waiting++
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
    const inFront = [...lanes.values()].flatMap(lane => lane.slice(0, 1))
    // Nobody waits who may begin: whoever ends or gives up lets in all who then may.
    if (!begin(claim, inFront)) await waitForTurn(client, claim)
    try {
      return await work(claim.slots)
    } finally {
      count(claim, -claim.slots)
      letIn()
    }
  }
}

function claimOf({ address, isAnonymous, account, slots = 1 }: Client, limits: FairLimits): Claim {
  const network = addressNetwork(address)
  const shares = new Map([['everybody', limits.concurrency]])
  if (network) shares.set(network, limits.address)
  if (account !== undefined) shares.set(`account ${account}`, limits.address)
  if (network && isAnonymous) shares.set(`anonymous ${network}`, limits.anonymousAddress)
  if (isAnonymous) shares.set('anonymous', limits.anonymous)
  // More would never be free.
  return { slots: Math.min(slots, ...shares.values()), shares }
}
