import {
  askingFor,
  failCall,
  findOpenCall,
  openCall,
  planCall,
  selectWaitingCalls,
  type WaitingCall,
} from '@/server/actions'
import { hubOf } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { defineWorker } from '@/server/kernel/jobs'
import { createWorkLoop } from '@/server/kernel/work-loop'
import { isUnreadable } from './files'
import { readReusable } from './reusable'

const pollMs = 5_000

/**
 * Adds the jobs of reusable workflows to the runs that call them. Runs in every process; the transaction that
 * adds the jobs makes sure that only one process does it.
 */
export const openCallsWorker = defineWorker({
  name: 'workflows.openCalls',
  async run(ctx, { signal }) {
    const loop = createWorkLoop(ctx)
    const failures: Failures = new Map()
    const stopListening = hubOf(ctx.db).listen(signals => {
      if (signals.some(({ kind }) => kind === 'calls.waiting')) loop.wake()
    })
    try {
      await loop.run(async () => {
        await openCalls(ctx, { signal, failures })
        return pollMs
      }, signal)
    } finally {
      stopListening()
    }
  },
})

/** Calls that failed unexpectedly in this process: how often, and when they are tried again. */
type Failures = Map<number, { count: number; until: number }>

interface OpenOptions {
  signal?: AbortSignal
  failures?: Failures
}

// With pauses that double, this takes about ten minutes.
const maxFailures = 8

/**
 * Opens all waiting calls. A call that cannot be opened now is retried later and does not block others. A job
 * whose call keeps failing unexpectedly fails.
 */
export async function openCalls(
  ctx: ServiceCtx,
  { signal, failures = new Map() }: OpenOptions = {},
): Promise<number> {
  let count = 0
  const seen = new Set<number>()
  for (let after = 0; ; ) {
    const waiting = await selectWaitingCalls(ctx.db, after)
    for (const call of waiting) {
      if (signal?.aborted) return count
      seen.add(call.id)
      if (Number(ctx.clock.now()) < (failures.get(call.id)?.until ?? 0)) continue
      await openOne(ctx, call).catch(error => putOff(ctx, call, error, failures))
      count++
    }
    const last = waiting.at(-1)
    if (!last) break
    after = last.id
  }
  for (const id of failures.keys()) if (!seen.has(id)) failures.delete(id)
  return count
}

async function openOne(ctx: ServiceCtx, call: WaitingCall): Promise<void> {
  const open = await findOpenCall(ctx.db, call)
  if (!open) return
  try {
    const workflow = await readReusable(ctx, open)
    const planned = await planCall(ctx, askingFor(ctx, call.owner_id), open, workflow)
    await openCall(ctx, call, workflow, planned)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    await failCall(ctx, call, error.message)
  }
}

async function putOff(ctx: ServiceCtx, call: WaitingCall, error: unknown, failures: Failures): Promise<void> {
  const about = { err: error, run: call.run_id, job: call.id }
  // Overloaded, or deleted concurrently.
  if (isDomainError(error)) return ctx.log.warn(about, 'a call is tried again later')
  ctx.log.error(about, 'a reusable workflow could not be called')
  const count = (failures.get(call.id)?.count ?? 0) + 1
  failures.set(call.id, { count, until: Number(ctx.clock.now()) + pollMs * 2 ** (count - 1) })
  if (count < maxFailures) return
  const message = 'The workflow could not be called because of an error on the server.'
  await failCall(ctx, call, message).catch(err =>
    ctx.log.error({ ...about, err }, 'a call could not be failed'),
  )
}
