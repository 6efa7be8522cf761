import { addressNetwork } from './auth/address-group'

export interface FairLimits {
  /** How many places there are for work to run in, and how many pieces of work wait for some. */
  atOnce: number
  waiting: number
  /** Nobody waits for longer. */
  patienceMs: number
  /** The most of the places that go to one address, to one where nobody has signed in, and to all of those together. */
  address: number
  anonymousAddress: number
  anonymous: number
}

/** Who asks for work to be done. */
export interface Asker {
  /** Empty where the host does not tell. Such askers are not taken for one. */
  address: string
  isAnonymous: boolean
  /** How many places the work takes; one unless told, and no more than there are. */
  places?: number
  /** Aborted when nobody waits for the work any more; asked for only by who has to wait. */
  gone?: (() => AbortSignal) | undefined
}

/** Does work when its turn has come. Throws what the limiter was made with when there is no room, or too long no turn. */
export type FairLimit = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>

interface Waiting {
  asker: Asker
  enter(): void
  refuse(): void
}

/**
 * Limits how much runs together, and shares that out: an address holds no more than its share, but for a single piece of
 * work that takes more; addresses that wait take turns, and when the line is full whoever stands in it most often gives
 * way to others. One address can therefore slow down nobody but itself. An IPv6 network of 48 bits counts as one address.
 */
export function createFairLimit(limits: FairLimits, refusal: () => Error): FairLimit {
  let running = 0
  const held = new Map<string, number>()
  // Each in the order in which its askers came; first the lane whose turn is next.
  const lanes = new Map<string, Waiting[]>()
  let waiting = 0

  const heldBy = (holder: string): number => held.get(holder) ?? 0
  const change = (holder: string, by: number): void => {
    const now = heldBy(holder) + by
    if (now > 0) held.set(holder, now)
    else held.delete(holder)
  }

  function mayRun(asker: Asker): boolean {
    const { places = 1 } = asker
    const fits = (held: number, most: number) => held === 0 || held + places <= most
    return (
      fits(running, limits.atOnce) &&
      sharesOf(asker, limits).every(({ holder, most }) => fits(heldBy(holder), most))
    )
  }

  function count(asker: Asker, places: number): void {
    running += places
    for (const { holder } of sharesOf(asker, limits)) change(holder, places)
  }

  const begin = (asker: Asker): void => count(asker, asker.places ?? 1)

  function end(asker: Asker): void {
    count(asker, -(asker.places ?? 1))
    while (letNextIn()) {}
  }

  function letNextIn(): boolean {
    for (const [name, lane] of lanes) {
      const [first] = lane
      if (!first || !mayRun(first.asker)) continue
      leave(name, first)
      const rest = lanes.get(name)
      // Its next one has the last turn of all.
      if (rest && lanes.delete(name)) lanes.set(name, rest)
      begin(first.asker)
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
    if (waiting < limits.waiting) return true
    const [longest, lane] = [...lanes].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', []])
    if (lane.length <= (lanes.get(name)?.length ?? 0) + 1) return false
    const last = lane.at(-1)
    if (last) leave(longest, last)
    last?.refuse()
    return true
  }

  async function waitForTurn(asker: Asker): Promise<void> {
    const name = `${addressNetwork(asker.address)} ${asker.isAnonymous}`
    const gone = asker.gone?.()
    if (gone?.aborted || !makeRoom(name)) throw refusal()
    let giveUp = (): void => undefined
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((enter, reject) => {
        const entry = { asker, enter, refuse: () => reject(refusal()) }
        giveUp = () => {
          leave(name, entry)
          entry.refuse()
        }
        const lane = lanes.get(name)
        if (lane) lane.push(entry)
        else lanes.set(name, [entry])
        waiting++
        timer = setTimeout(giveUp, limits.patienceMs)
        gone?.addEventListener('abort', giveUp)
      })
    } finally {
      clearTimeout(timer)
      gone?.removeEventListener('abort', giveUp)
    }
  }

  return async (asker, work) => {
    // Nobody waits who could run: each that ends lets in whoever can take its place.
    if (mayRun(asker)) begin(asker)
    else await waitForTurn(asker)
    try {
      return await work()
    } finally {
      end(asker)
    }
  }
}

function sharesOf({ address, isAnonymous }: Asker, limits: FairLimits): { holder: string; most: number }[] {
  const network = addressNetwork(address)
  const shares = []
  if (network) shares.push({ holder: network, most: limits.address })
  if (network && isAnonymous) shares.push({ holder: `anonymous ${network}`, most: limits.anonymousAddress })
  if (isAnonymous) shares.push({ holder: 'anonymous', most: limits.anonymous })
  return shares
}
