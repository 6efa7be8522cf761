import { isUnavailable } from '@/db/unavailable'
import { timedOut } from '@/db/violation'
import { hubOf } from '@/server/events'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { singleton } from '@/server/kernel/singleton'
import { type Claimed, giveJobs } from './give-jobs'
import { type AskingRunner, type Candidate, selectCandidates } from './store'

interface Ask {
  ctx: RunnerCtx
  runner: AskingRunner
  signal: AbortSignal | undefined
  answer: (claimed: Claimed | undefined) => void
  fail: (error: unknown) => void
}

/** Runner with the job that it is to be assigned. */
interface Match {
  ask: Ask
  candidate: Candidate
}

/** State of the claims that this process makes on one database. */
interface Claims {
  /** Waiting claims, in order of arrival. */
  asks: Ask[]
  isMatching: boolean
  /** Matches to assign next, by run. */
  ofRuns: Map<number, Match[]>
  /**
   * Time until which a job is not offered, on the clock of `performance.now()`, by job ID. Covers jobs that
   * are already matched and jobs that could not be assigned.
   */
  held: Map<number, number>
}

/** Maximum number of runners that are matched, and of jobs of one run that are assigned, at the same time. */
const maxConcurrent = 50
// A busy run is soon free again; any other failure may persist.
const [busyMs, failedMs] = [2_000, 60_000]

/**
 * Claims the longest-waiting job that a runner can take; undefined if there is none, or if the runner may not
 * take any. Concurrent claims in this process never compete for a job, and those for jobs of the same run
 * share a transaction. A job that cannot be assigned does not block others.
 */
export function claimJob(
  ctx: RunnerCtx,
  runner: AskingRunner,
  signal: AbortSignal | undefined,
): Promise<Claimed | undefined> {
  const claims = claimsOf(ctx)
  return new Promise((answer, fail) => {
    enter(claims, { ctx, runner, signal, answer, fail })
  })
}

function claimsOf({ db }: RunnerCtx): Claims {
  const known = singleton('claims of runners', () => new WeakMap<object, Claims>())
  const hub = hubOf(db)
  const claims = known.get(hub) ?? { asks: [], isMatching: false, ofRuns: new Map(), held: new Map() }
  known.set(hub, claims)
  return claims
}

function enter(claims: Claims, ask: Ask): void {
  claims.asks.push(ask)
  if (!claims.isMatching) void matchAll(claims)
}

async function matchAll(claims: Claims): Promise<void> {
  claims.isMatching = true
  while (claims.asks.length > 0) {
    const asks = claims.asks.splice(0, maxConcurrent)
    for (const { answer } of asks.filter(({ signal }) => signal?.aborted)) answer(undefined)
    const waiting = asks.filter(({ signal }) => !signal?.aborted)
    await match(claims, waiting).catch(error => {
      for (const { fail } of waiting) fail(error)
    })
  }
  claims.isMatching = false
}

/** Matches each claim with a job, and resolves the claims for which there is none. */
async function match(claims: Claims, asks: readonly Ask[]): Promise<void> {
  const alike = new Map<string, Ask[]>()
  for (const ask of asks) {
    const { owner_id, repository_id, labels } = ask.runner
    const reach = JSON.stringify([owner_id, repository_id, labels])
    alike.set(reach, [...(alike.get(reach) ?? []), ask])
  }
  for (const group of alike.values()) {
    const [first] = group
    if (!first) continue
    const { ctx, runner } = first
    const count = group.length > 1 ? 'many' : 'few'
    const candidates = await selectCandidates(ctx.db, runner, heldOf(claims), count)
    for (const ask of group) {
      const candidate = candidates.shift()
      if (candidate) assignNext(claims, { ask, candidate })
      else ask.answer(undefined)
    }
  }
}

function heldOf({ held }: Claims): number[] {
  for (const [id, until] of held) if (until <= performance.now()) held.delete(id)
  return [...held.keys()]
}

function assignNext(claims: Claims, match: Match): void {
  const { id, run_id } = match.candidate
  claims.held.set(id, Infinity)
  const waiting = claims.ofRuns.get(run_id)
  if (waiting) {
    waiting.push(match)
    return
  }
  claims.ofRuns.set(run_id, [match])
  void assignOf(claims, run_id)
}

async function assignOf(claims: Claims, runId: number): Promise<void> {
  for (;;) {
    const waiting = claims.ofRuns.get(runId) ?? []
    if (waiting.length === 0) break
    const pairs = firstOfEachRunner(waiting)
    claims.ofRuns.set(
      runId,
      waiting.filter(match => !pairs.includes(match)),
    )
    await assign(claims, pairs)
  }
  claims.ofRuns.delete(runId)
}

// If a runner asked twice, its second job is assigned after the first, based on its state by then.
function firstOfEachRunner(matches: readonly Match[]): Match[] {
  const first = new Map<number, Match>()
  for (const match of matches) {
    if (first.size === maxConcurrent) break
    if (!first.has(match.ask.runner.id)) first.set(match.ask.runner.id, match)
  }
  return [...first.values()]
}

async function assign(claims: Claims, matches: readonly Match[]): Promise<void> {
  const [first] = matches
  if (!first) return
  const { ctx } = first.ask
  try {
    const pairs = matches.map(({ ask, candidate }) => ({ runnerId: ask.runner.id, candidate }))
    const results = await giveJobs(ctx, pairs)
    for (const { ask, candidate } of matches) {
      claims.held.delete(candidate.id)
      const outcome = results.get(candidate.id)
      if (outcome === undefined) enter(claims, ask)
      else ask.answer(outcome === 'refused' ? undefined : outcome)
      // Waiting runners were not notified of this job.
      if (outcome === 'refused') announceQueued(ctx, candidate)
    }
  } catch (error) {
    // Any one of the jobs may be the cause, so they are assigned one by one. Unavailability and timeouts
    // would affect each of them.
    if (matches.length > 1 && !isUnavailable(error) && busyFor(error) === undefined) {
      for (const match of matches) await assign(claims, [match])
    } else {
      for (const match of matches) setAside(claims, match, error)
    }
  }
}

function setAside(claims: Claims, { ask, candidate: { id, run_id } }: Match, error: unknown): void {
  if (isUnavailable(error)) {
    claims.held.delete(id)
    ask.fail(error)
    return
  }
  const waitMs = busyFor(error)
  if (waitMs === undefined)
    ask.ctx.log.error({ err: error, run: run_id, job: id }, 'a job cannot be assigned')
  claims.held.set(id, performance.now() + (waitMs ?? failedMs))
  enter(claims, ask)
}

// Returns the delay before a retry in milliseconds; undefined if the failure may persist.
function busyFor(error: unknown): number | undefined {
  if (timedOut(error)) return busyMs
  const isRefused = isDomainError(error) && (error.kind === 'tooManyRequests' || error.kind === 'unavailable')
  return isRefused ? 1000 * (error.retryAfterSeconds ?? busyMs / 1000) : undefined
}

function announceQueued(
  { db }: RunnerCtx,
  { repository_id: repositoryId, owner_id: ownerId }: Candidate,
): void {
  hubOf(db).publish([{ kind: 'jobs.queued', repositoryId, ownerId }])
}
