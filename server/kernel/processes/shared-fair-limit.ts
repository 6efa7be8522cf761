import { createFairLimit, type FairLimit, type FairLimits } from '../fair-limit'
import { supervisorOf } from './supervised'

/**
 * Creates a fair concurrency limiter whose slots and shares hold for all server processes of this machine
 * together. Limiters with the same name share their slots.
 * @param refusal Creates the error for work that is refused.
 */
export function createSharedFairLimit(name: string, limits: FairLimits, refusal: () => Error): FairLimit {
  const supervisor = supervisorOf()
  if (!supervisor) return createFairLimit(limits, refusal)
  return async ({ disconnected, ...client }, work) => {
    const lease = await supervisor.acquire(name, limits, client, disconnected?.())
    if (!lease) throw refusal()
    try {
      return await work(lease.slots)
    } finally {
      lease.release()
    }
  }
}
