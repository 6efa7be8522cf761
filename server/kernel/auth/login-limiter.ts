import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../errors'
import { createTurnstile } from '../turnstile'
import { addressGroup } from './address-group'

/** Counts failed attempts to sign in; the counts are shared by every process on the database. */
export interface LoginLimiter {
  /**
   * Runs one check of a password, which gives undefined when it fails; a failure is counted.
   * Throws tooManyRequests when this login name or this address has failed too often.
   */
  guard<T>(login: string, address: string, check: () => Promise<T | undefined>): Promise<T | undefined>
}

const windowSeconds = 10 * 60
const failuresPerLogin = 10
const failuresPerAddress = 100

/** Writes the table `login_failures`. */
export function createLoginLimiter(pool: pg.Pool): LoginLimiter {
  const byLogin = limiter(pool, 'login', failuresPerLogin)
  const byAddress = limiter(pool, 'address', failuresPerAddress)
  // Few at a time: each sees the failures of those before it, so guesses sent together count like guesses in turn,
  // and hashing never takes every thread from the rest of the process.
  const inLine = createTurnstile({ atOnce: 2, waiting: 200 })

  return {
    guard: (login, address, check) =>
      inLine(async () => {
        const group = addressGroup(address)
        const key = loginKey(login, group)
        const [failed, failedHere] = await Promise.all([
          byLogin.get(key),
          group ? byAddress.get(group) : null,
        ])
        refuseAbove(failed, failuresPerLogin)
        refuseAbove(failedHere, failuresPerAddress)
        const result = await check()
        if (result === undefined) {
          await ignoreFull(byLogin.consume(key))
          if (group) await ignoreFull(byAddress.consume(group))
        } else if (failed) {
          await byLogin.delete(key)
        }
        return result
      }),
  }
}

function limiter(pool: pg.Pool, keyPrefix: string, points: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'login_failures',
    tableCreated: true,
    keyPrefix,
    points,
    duration: windowSeconds,
  })
}

// Per name and address together: a stranger elsewhere cannot lock a person out. Hashed, as names are free text.
function loginKey(login: string, group: string): string {
  return createHash('sha256').update(`${login.toLowerCase()}\n${group}`).digest('hex')
}

function refuseAbove(state: RateLimiterRes | null, points: number): void {
  if (!state || state.consumedPoints < points) return
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
  const minutes = Math.ceil(seconds / 60)
  throw new DomainError(
    'tooManyRequests',
    `too many failed sign-ins; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    { retryAfterSeconds: seconds },
  )
}

// The library rejects with the state, not an Error, once the points are used up.
async function ignoreFull(consumed: Promise<RateLimiterRes>): Promise<void> {
  await consumed.catch((reason: unknown) => {
    if (reason instanceof Error) throw reason
  })
}
