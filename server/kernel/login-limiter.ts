import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { type DomainError, tooBusy, tooManyRequests } from './errors'
import type { Client } from './fair-limit'
import { addressGroup, addressNetwork } from './ip-address'
import { createSharedFairLimit } from './processes/shared-fair-limit'
import { createRecentPasswords, type RecentPasswords } from './recent-passwords'

/** One attempt to sign in. */
export interface LoginAttempt extends Pick<Client, 'address' | 'disconnected'> {
  /** The username or email address as typed. */
  login: string
  /** Identifies the account however it was named; if there is none, the typed text. */
  subject: string
}

/**
 * Rate limiter for failed sign-in attempts, registrations, checks of webhook URLs, and webhook redeliveries.
 * All processes share its counters, which are stored in the database.
 */
export interface LoginLimiter {
  /**
   * Runs a password check and counts a failure, which the check reports by returning undefined.
   * @throws {DomainError} tooManyRequests after too many failures for this account or from this address, and tooBusy while
   * too many passwords are being checked.
   */
  guard<T>(attempt: LoginAttempt, check: () => Promise<T | undefined>): Promise<T | undefined>
  /**
   * Refuses an attempt that `guard` refused within the last ten seconds, without a query, so that a flood of guesses does
   * not occupy the database.
   * @throws {DomainError} tooManyRequests
   */
  refuseBlocked(login: string, address: string): void
  /** Counts a registration. @throws {DomainError} tooManyRequests after too many from this address. */
  countRegistration(address: string): Promise<void>
  /** Counts a check of a webhook URL. @throws {DomainError} tooManyRequests after too many by one account in a minute. */
  countAddressCheck(accountId: number): Promise<void>
  /**
   * Counts requested redeliveries of a webhook.
   * @throws {DomainError} tooManyRequests after too many for one webhook in a minute.
   */
  countRedeliveries(hookId: number, count: number): Promise<void>
  /** Passwords found correct within the last minute, in this process. */
  recent: RecentPasswords
}

/** Maximum counts per time window. An IPv6 /48 network is allowed five times the maximum of a /64 network. */
export interface LoginLimits {
  /** Failed sign-ins with one account from one address in ten minutes. */
  accountAtAddress: number
  /** Failed sign-ins with any account from one address in ten minutes. */
  address: number
  /** Failed sign-ins with one account in a day, from all addresses it has not signed in from before. */
  account: number
  /** Registrations from one address in ten minutes. */
  registrations: number
  /** Webhook URLs that one account can check in a minute. */
  addressChecks: number
  /** Redeliveries of one webhook in a minute. */
  redeliveries: number
}

const defaultLimits: LoginLimits = {
  accountAtAddress: 10,
  address: 100,
  account: 1000,
  registrations: 10,
  addressChecks: 30,
  // Leaves room for a whole replay after single redeliveries.
  redeliveries: 2000,
}
const networkFactor = 5

const minutes = 60
const days = 24 * 60 * minutes
const windowSeconds = 10 * minutes
const knownSeconds = 30 * days

// Two concurrent hashes leave threads and processors for everything else. One address gets one slot, so that
// each of its guesses sees the failures before it even if all were sent together.
const slots = {
  concurrency: 2,
  maxQueue: 200,
  timeoutMs: 30_000,
  address: 1,
  anonymousAddress: 1,
  anonymous: 2,
}

interface Counter {
  limiter: RateLimiterPostgres
  name: string
  max: number
}

/** Creates a limiter that keeps its counts in the table `login_failures`. */
export function createLoginLimiter(pool: pg.Pool, limits = defaultLimits): LoginLimiter {
  const limiter = (keyPrefix: string, points: number, duration = windowSeconds) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'login_failures',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    })
  const byAccountThere = limiter('login', limits.accountAtAddress)
  const byAddress = limiter('address', limits.address)
  const byAccount = limiter('account', limits.account, days)
  const byRegistration = limiter('registration', limits.registrations)
  const byCheck = limiter('check', limits.addressChecks, minutes)
  const byRedelivery = limiter('redelivery', limits.redeliveries, minutes)
  const known = limiter('known', 1, knownSeconds)
  const withSlot = createSharedFairLimit('sign-ins', slots, tooBusy)
  const blocked = createBlocked()

  /** Returns a counter for the address and, for IPv6, another one for the /48 network around it. */
  function around(
    { address }: { address: string },
    limiter: RateLimiterPostgres,
    nameOf: (prefix: string) => string,
  ): Counter[] {
    const [group, network] = [addressGroup(address), addressNetwork(address)]
    const counters = [{ limiter, name: nameOf(group), max: limiter.points }]
    if (network === group) return counters
    return [...counters, { limiter, name: nameOf(network), max: limiter.points * networkFactor }]
  }

  const countersOf = (attempt: LoginAttempt) => ({
    there: around(attempt, byAccountThere, prefix => hashed(attempt.subject, prefix)),
    address: attempt.address ? around(attempt, byAddress, prefix => prefix) : [],
    anywhere: { limiter: byAccount, name: hashed(attempt.subject), max: byAccount.points },
    // Guesses from elsewhere cannot lock people out at addresses they have signed in from before.
    known: { limiter: known, name: hashed(attempt.subject, addressNetwork(attempt.address)), max: 1 },
  })

  /** Reads the counters of an attempt. @throws {DomainError} tooManyRequests if one has reached its maximum. */
  async function look(attempt: LoginAttempt) {
    const counters = countersOf(attempt)
    const { there, address, anywhere } = counters
    const states = await statesOf(pool, [...there, ...address, anywhere, counters.known])
    const isKnown = attempt.address !== '' && states.has(counters.known)
    for (const counter of [...there, ...address, ...(isKnown ? [] : [anywhere])]) {
      const state = states.get(counter)
      if (!state || state.points < counter.max) continue
      const isAddress = address.includes(counter)
      blocked.add(isAddress ? counter.name : blockedName(attempt), state.msLeft)
      throw tooManyFailures(state.msLeft)
    }
    return { ...counters, isKnown, failedThere: there.filter(counter => states.has(counter)) }
  }

  return {
    recent: createRecentPasswords(),
    refuseBlocked(login, address) {
      const names = [blockedName({ login, address }), addressGroup(address), addressNetwork(address)]
      for (const msLeft of names.map(blocked.msLeft)) if (msLeft > 0) throw tooManyFailures(msLeft)
    },
    async guard(attempt, check) {
      // Checked before queueing, so that a refused attempt takes no slot from others.
      await look(attempt)
      return await withSlot({ ...attempt, isAnonymous: true }, async () => {
        const { there, address, anywhere, known, isKnown, failedThere } = await look(attempt)
        const result = await check()
        if (result === undefined) {
          await Promise.all([...there, ...address, anywhere].map(count))
        } else {
          await Promise.all(failedThere.map(({ limiter, name }) => limiter.delete(name)))
          if (attempt.address && !isKnown) await known.limiter.set(known.name, 1, knownSeconds)
        }
        return result
      })
    },
    async countRegistration(address) {
      // Without an address, everyone would share one counter.
      if (!address) return
      for (const counter of around({ address }, byRegistration, prefix => prefix)) {
        await countUpTo(counter, 'new accounts')
      }
    },
    async countAddressCheck(accountId) {
      await countUpTo({ limiter: byCheck, name: String(accountId), max: byCheck.points }, 'checked addresses')
    },
    async countRedeliveries(hookId, count) {
      const counter = { limiter: byRedelivery, name: String(hookId), max: byRedelivery.points }
      await countUpTo(counter, 'redeliveries', count)
    },
  }
}

// Usernames are free text of any length.
const hashed = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

const blockedName = ({ login, address }: Pick<LoginAttempt, 'login' | 'address'>): string =>
  hashed(login.toLowerCase(), addressGroup(address))

const blockedMs = 10_000
const maxBlocked = 10_000

/** Creates a cache that holds refused logins and addresses for ten seconds, with the end of their refusal. */
function createBlocked() {
  const kept = new Map<string, { end: number; forget: number }>()
  return {
    add(name: string, msLeft: number): void {
      if (kept.size >= maxBlocked) kept.clear()
      const now = Date.now()
      kept.set(name, { end: now + msLeft, forget: now + blockedMs })
    },
    msLeft(name: string): number {
      const now = Date.now()
      const { end, forget } = kept.get(name) ?? { end: 0, forget: 0 }
      return forget > now ? end - now : 0
    },
  }
}

interface CounterState {
  points: number
  msLeft: number
}

/** Reads the states of the counters in one query. Counters without a count are left out. */
async function statesOf(pool: pg.Pool, counters: readonly Counter[]): Promise<Map<Counter, CounterState>> {
  const keyOf = ({ limiter, name }: Counter): string => limiter.getKey(name)
  const now = Date.now()
  const { rows } = await pool.query<{ key: string; points: number; expire: number }>(
    'select key, points, expire from login_failures where key = any($1::text[]) and expire > $2',
    [counters.map(keyOf), now],
  )
  const found = new Map(rows.map(row => [row.key, { points: row.points, msLeft: row.expire - now }]))
  return new Map(
    counters.flatMap(counter => {
      const state = found.get(keyOf(counter))
      return state ? [[counter, state]] : []
    }),
  )
}

// The library rejects with the state, not an Error, once the points are used up.
async function count({ limiter, name }: Counter): Promise<void> {
  await limiter.consume(name).catch((reason: unknown) => {
    if (reason instanceof Error) throw reason
  })
}

// Counts before comparing, so that concurrent requests see each other.
async function countUpTo({ limiter, name, max }: Counter, what: string, count = 1): Promise<void> {
  const state = await limiter.penalty(name, count)
  if (state.consumedPoints > max) throw tooMany(what, state.msBeforeNext)
}

const tooManyFailures = (msLeft: number): DomainError => tooMany('failed sign-in attempts', msLeft)

function tooMany(what: string, msLeft: number): DomainError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  const [amount, unit] = seconds > 90 * minutes ? [seconds / 60 / 60, 'hour'] : [seconds / 60, 'minute']
  const rounded = Math.ceil(amount)
  const message = `too many ${what}; try again in ${rounded} ${unit}${rounded === 1 ? '' : 's'}`
  return tooManyRequests(message, seconds)
}
