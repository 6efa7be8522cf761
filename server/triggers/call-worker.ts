import { isUnavailable } from '@/db/unavailable'
import { isUnstorable } from '@/db/violation'
import {
  askingFor,
  failCall,
  findOpenCall,
  openCall,
  planCall,
  retryCall,
  selectWaitingCalls,
  type WaitingCall,
} from '@/server/actions'
import { hubOf } from '@/server/events'
import { createLimiter, createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { defineWorker } from '@/server/kernel/jobs'
import { createWorkLoop } from '@/server/kernel/work-loop'
import { isUnreadable } from './files'
import { readReusable } from './reusable'

const pollMs = 5_000
// Many calls wait for Git or for a thread.
const concurrency = 8

/**
 * Adds the jobs of reusable workflows to the runs that call them. Runs in every process; the transaction that
 * adds the jobs makes sure that only one process does it.
 */
export const openCallsWorker = defineWorker({
  name: 'workflows.openCalls',
  async run(ctx, { signal }) {
    const loop = createWorkLoop(ctx)
    const stopListening = hubOf(ctx.db).listen(signals => {
      if (signals.some(({ kind }) => kind === 'calls.waiting')) loop.wake()
    })
    try {
      await loop.run(async () => {
        await openCalls(ctx, signal)
        return pollMs
      }, signal)
    } finally {
      stopListening()
    }
  },
})

/**
 * Opens all waiting calls and returns their number. A call that takes long, or cannot be opened now, does not
 * block others. One that cannot be opened is tried again later and fails after about an hour.
 */
export async function openCalls(ctx: ServiceCtx, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (let after = 0; ; ) {
    const waiting = await selectWaitingCalls(ctx.db, after, ctx.clock.now())
    const inOrder = createQueues()
    const limited = createLimiter({ concurrency, maxQueue: Infinity })
    const open = async (call: WaitingCall): Promise<void> => {
      if (signal?.aborted) return
      await openOne(ctx, call).catch(error => putOff(ctx, call, error))
      count++
    }
    // The calls of a run are opened in order, so that their jobs get different positions.
    const opened = waiting.map(call => inOrder(call.run_id, () => limited(() => open(call))))
    const failed = (await Promise.allSettled(opened)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    if (signal?.aborted) return count
    const last = waiting.at(-1)
    if (!last) return count
    after = last.id
  }
}

async function openOne(ctx: ServiceCtx, call: WaitingCall): Promise<void> {
  const open = await findOpenCall(ctx.db, call)
  if (!open) return
  try {
    const workflow = await readReusable(ctx, open)
    const planned = await planCall(ctx, askingFor(ctx, call.owner_id), open, workflow)
    await openCall(ctx, call, workflow, planned)
  } catch (error) {
    if (isUnstorable(error))
      ctx.log.error({ err: error, job: call.id }, 'a called workflow could not be stored')
    else if (!isUnreadable(error)) throw error
    await failCall(ctx, call, isUnreadable(error) ? error.message : 'The workflow could not be stored.')
  }
}

async function putOff(ctx: ServiceCtx, call: WaitingCall, error: unknown): Promise<void> {
  if (isUnavailable(error)) throw error
  const about = { err: error, run: call.run_id, job: call.id }
  // Overloaded, or changed concurrently.
  if (isDomainError(error)) ctx.log.warn(about, 'a call is tried again later')
  else ctx.log.error(about, 'a reusable workflow could not be called')
  await retryCall(ctx, call, isDomainError(error) ? error.message : unexpected).catch(problem => {
    // The repository can be transferred, or its run deleted, at any time.
    if (!isDomainError(problem)) throw problem
  })
}

const unexpected = 'The reusable workflow could not be read because of an unexpected error on the server.'
