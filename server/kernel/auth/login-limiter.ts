import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../errors'

/** Counts failed password attempts; the counts are shared by every process on the database. */
export interface LoginLimiter {
  /** Throws tooManyRequests while this login name or this address has failed too often. */
  check(login: string, address: string): Promise<void>
  fail(login: string, address: string): Promise<void>
  succeed(login: string, address: string): Promise<void>
}

const windowSeconds = 10 * 60
const failuresPerLogin = 10
const failuresPerAddress = 100

/** Writes the table `login_failures`; falls back to this process's memory while the database cannot answer. */
export function createLoginLimiter(pool: pg.Pool): LoginLimiter {
  const byLogin = limiter(pool, 'login', failuresPerLogin)
  const byAddress = limiter(pool, 'address', failuresPerAddress)

  return {
    async check(login, address) {
      const [one, two] = await Promise.all([byLogin.get(loginKey(login, address)), byAddress.get(address)])
      refuseAbove(one, failuresPerLogin)
      if (address) refuseAbove(two, failuresPerAddress)
    },
    async fail(login, address) {
      await ignoreFull(byLogin.consume(loginKey(login, address)))
      if (address) await ignoreFull(byAddress.consume(address))
    },
    async succeed(login, address) {
      await byLogin.delete(loginKey(login, address))
    },
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
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: windowSeconds }),
  })
}

// Per name and address together: a stranger elsewhere cannot lock a person out. Hashed, as names are free text.
function loginKey(login: string, address: string): string {
  return createHash('sha256').update(`${login.toLowerCase()}\n${address}`).digest('hex')
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
