import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import {
  type RegisterRequest,
  Result,
  type RunnerSchema,
  type TaskSchema,
  type UpdateTaskRequest,
} from '@/proto/gen/runner/v1/runner_pb'
import type { TaskReport } from '@/server/actions'
import type { AssignedTask, RunnerRow } from '@/server/runners'

type Conclusion = NonNullable<TaskReport['conclusion']>

const results: Record<Conclusion, Result> = {
  success: Result.SUCCESS,
  failure: Result.FAILURE,
  cancelled: Result.CANCELLED,
  skipped: Result.SKIPPED,
}
const conclusions = new Map(
  Object.entries(results).map(([conclusion, result]) => [result, conclusion as Conclusion]),
)

export const resultOf = (conclusion: Conclusion | null): Result =>
  conclusion === null ? Result.UNSPECIFIED : results[conclusion]

/** Returns the labels that a runner registers with. Older runners send them in other fields. */
export const labelsOf = ({ labels, agentLabels, customLabels }: RegisterRequest): string[] =>
  labels.length > 0 ? labels : [...agentLabels, ...customLabels]

export const runnerMessage = (runner: RunnerRow, token = ''): MessageInitShape<typeof RunnerSchema> => ({
  id: BigInt(runner.id),
  uuid: runner.uuid,
  token,
  name: runner.name,
  version: runner.version,
  labels: runner.labels,
  ephemeral: runner.is_ephemeral,
})

export const taskMessage = (task: AssignedTask): MessageInitShape<typeof TaskSchema> => ({
  id: BigInt(task.id),
  workflowPayload: Buffer.from(task.workflowPayload),
  context: task.context,
  secrets: task.secrets,
  vars: task.vars,
  needs: Object.fromEntries(
    Object.entries(task.needs).map(([key, { outputs, result }]) => [
      key,
      { outputs, result: resultOf(result) },
    ]),
  ),
})

export function reportOf({ state, outputs }: UpdateTaskRequest): TaskReport {
  return {
    taskId: taskIdOf(state?.id ?? 0n),
    conclusion: conclusionOf(state?.result),
    steps: (state?.steps ?? []).map(step => ({
      id: Number(step.id),
      conclusion: conclusionOf(step.result),
      startedAt: dateOf(step.startedAt),
      completedAt: dateOf(step.stoppedAt),
      logIndex: Number(step.logIndex),
      logLength: Number(step.logLength),
    })),
    outputs,
  }
}

/** Converts a task ID to a number. An ID beyond the safe range becomes 0, which no task has. */
export const taskIdOf = (id: bigint): number => (id <= Number.MAX_SAFE_INTEGER ? Number(id) : 0)

const conclusionOf = (result: Result | undefined): Conclusion | null =>
  (result !== undefined && conclusions.get(result)) || null

// Later years cannot be represented on the wire.
const beyond = Date.UTC(10_000, 0)

function dateOf(time: Timestamp | undefined): Date | null {
  const date = time && new Date(Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6))
  return date && date.getTime() >= 0 && date.getTime() < beyond ? date : null
}
