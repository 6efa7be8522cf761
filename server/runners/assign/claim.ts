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

/** A runner and the job that it is to be given. */
interface Match {
  ask: Ask
  candidate: Candidate
}

/** The claims of this process on one database. */
interface Claims {
  /** In the order in which they came. */
  asks: Ask[]
  isMatching: boolean
  /** What is to be assigned next, by run. */
  ofRuns: Map<number, Match[]>
  /** Jobs that are matched already, and jobs that could not be assigned, each with the time until which nobody else gets it. */
  held: Map<number, number>
}

/** At most so many runners are matched, and so many jobs of a run assigned, at once. */
const maxConcurrent = 50
// A run that is busy is free again soon; what else keeps a job from being assigned may be there to stay.
const [busyMs, failedMs] = [2_000, 60_000]

/**
 * Takes the job that waits longest of those that a runner can take; undefined if there is none, or if the runner may not
 * take any. Runners that ask at once never compete for one job, and those that get jobs of one run share a transaction. A job
 * that cannot be assigned does not keep others from being.
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

/** Finds a job for each that asks, and answers those that there is none for. */
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

// A runner that asked twice is given its second job as it is after the first.
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
      // Those that wait were not told of it.
      if (outcome === 'refused') announceQueued(ctx, candidate)
    }
  } catch (error) {
    // One by one, as one of them may be what fails; a busy site would be so for each.
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

// Undefined for what may be there to stay.
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
