import { addressNetwork } from '@/server/kernel/ip-address'

export interface ThrottleLimits {
  /** Maximum number of connections without a sign-in that a network can open at the same time. */
  burst: number
  /** Number of additional connections that a network can open per minute. */
  perMinute: number
}

/** Limits how fast each network opens connections. Connections with a successful sign-in do not count. */
export interface Throttle {
  /**
   * Counts a new connection and returns a function to call on sign-in, which stops counting it. Returns
   * undefined if the network has reached its limit.
   */
  begin(address: string): (() => void) | undefined
}

interface Spent {
  count: number
  at: number
}

// Above this number, the networks that have been inactive for longest are forgotten.
const maxNetworks = 10_000

export function createThrottle(
  { burst, perMinute }: ThrottleLimits,
  now: () => number = () => performance.now(),
): Throttle {
  const spent = new Map<string, Spent>()

  /** Removes a network's count from the map and returns it, less what it has regained since then. */
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
