import { PingService } from '@/proto/gen/ping/v1/ping_pb'
import { RunnerService } from '@/proto/gen/runner/v1/runner_pb'
import { appendRows, reportTask } from '@/server/actions'
import type { RunnerCtx, ServiceCtx } from '@/server/kernel/ctx'
import type { HeaderReader } from '@/server/kernel/http/call'
import { authenticateRunner, declareRunner, fetchTask, registerRunner } from '@/server/runners'
import { labelsOf, reportOf, resultOf, runnerMessage, taskIdOf, taskMessage } from './messages'
import { createMethod } from './method'

const [kib, mib] = [1024, 1024 * 1024]

const byAnyone = { maxBytes: 64 * kib, authenticate: async (ctx: ServiceCtx) => ctx }
const byRunner = { maxBytes: 64 * kib, authenticate: authenticateAs('other') }
// After an outage, a runner sends all rows that it has gathered, including those that were not acknowledged.
const ofLogs = { ...byReport(), fields: { max: 20_000, cuts: true } }
const ofTasks = { ...byReport(), fields: { max: 20_000, nested: [1] } }

/** How long before its deadline a call is answered, in milliseconds. */
const answerMs = 1_000

/** Methods of `ping.v1.PingService` and `runner.v1.RunnerService`. */
export const methods = [
  createMethod(PingService.method.ping, byAnyone, async (_, { data }) => ({ data: `Hello, ${data}!` })),

  createMethod(RunnerService.method.register, byAnyone, async (ctx, request) => {
    const registered = await registerRunner(ctx, { ...request, labels: labelsOf(request) })
    return { runner: runnerMessage(registered.runner, registered.secret) }
  }),

  createMethod(RunnerService.method.declare, byRunner, async (ctx, request) => ({
    runner: runnerMessage(await declareRunner(ctx, request)),
  })),

  createMethod(RunnerService.method.fetchTask, byRunner, async (ctx, { tasksVersion }, context) => {
    const timeoutMs = context.timeoutMs()
    const holdMs = timeoutMs === undefined ? {} : { holdMs: Math.max(0, timeoutMs - answerMs) }
    const task = await fetchTask(ctx, { ...holdMs, signal: context.signal })
    // The request's version does not matter, because every call searches. Runners do not expect 0.
    const version = tasksVersion > 1n ? tasksVersion : 1n
    return { tasksVersion: version, ...(task && { task: taskMessage(task) }) }
  }),

  createMethod(RunnerService.method.updateTask, ofTasks, async (ctx, request) => {
    const report = reportOf(request)
    const { conclusion, sentOutputs } = await reportTask(ctx, ctx.caller.runnerId, report)
    return { state: { id: BigInt(report.taskId), result: resultOf(conclusion) }, sentOutputs }
  }),

  createMethod(RunnerService.method.updateLog, ofLogs, async (ctx, { taskId, index, rows, noMore }) => {
    const part = { taskId: taskIdOf(taskId), index: Number(index), rows, isLast: noMore }
    return { ackIndex: BigInt(await appendRows(ctx, ctx.caller.runnerId, part)) }
  }),
]

function byReport() {
  return { maxBytes: 64 * mib, authenticate: authenticateAs('report') }
}

function authenticateAs(call: 'report' | 'other') {
  return async (ctx: ServiceCtx, headers: HeaderReader): Promise<RunnerCtx> => {
    const [uuid, secret] = [headers.get('x-runner-uuid') ?? '', headers.get('x-runner-token') ?? '']
    return await authenticateRunner(ctx, { uuid, secret }, call)
  }
}
