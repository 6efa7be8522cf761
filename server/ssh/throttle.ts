import { addressNetwork } from '@/server/kernel/ip-address'

export interface ThrottleLimits {
  /** How many connections that nobody has signed in over a network may begin at once. */
  burst: number
  /** How many more it may begin each minute. */
  perMinute: number
}

/** Limits how fast each network begins connections; those over which somebody signs in do not count. */
export interface Throttle {
  /** Counts one more, until the function returned says that somebody has signed in; undefined for one too many. */
  begin(address: string): (() => void) | undefined
}

interface Spent {
  count: number
  at: number
}

// Beyond that, those that have been quiet for longest are forgotten.
const maxNetworks = 10_000

export function createThrottle(
  { burst, perMinute }: ThrottleLimits,
  now: () => number = () => performance.now(),
): Throttle {
  const spent = new Map<string, Spent>()

  /** Takes what is counted of a network out of the map, less what it has back by now. */
  function take(network: string): number {
    const found = spent.get(network)
    spent.delete(network)
    return found ? Math.max(0, found.count - ((now() - found.at) * perMinute) / 60_000) : 0
  }

  function put(network: string, count: number): void {
    if (count <= 0) return
    spent.set(network, { count, at: now() })
    const [oldest] = spent.keys()
    if (spent.size > maxNetworks && oldest !== undefined) spent.delete(oldest)
  }

  return {
    begin(address) {
      const network = addressNetwork(address)
      const before = take(network)
      if (before + 1 > burst) {
        put(network, before)
        return undefined
      }
      put(network, before + 1)
      return () => put(network, take(network) - 1)
    },
  }
}
