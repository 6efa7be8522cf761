import { findNeeds, findRunSource, type JobRow, type Need, type TaskRow } from '@/server/actions'
import { issueJobToken } from '@/server/kernel/auth/job-token'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { secretsFor, variablesFor } from '@/server/secrets'
import { contextOf, type JsonValue } from './context'
import { parseWorkflow, payloadOf, stepNames } from './workflow'

/** A task as its runner is told of it. Told again, it is the same, with the same token. */
export interface AssignedTask {
  id: number
  /** YAML with one job. */
  workflowPayload: string
  context: Record<string, JsonValue>
  secrets: Record<string, string>
  vars: Record<string, string>
  needs: Record<string, Need>
}

interface Labels {
  labels: readonly string[]
  declared_labels: readonly string[]
  labels_edited: boolean
}

/** What the tasks of one run are made of. */
export interface TaskContent {
  /** The names of a job's steps. */
  steps(jobKey: string): string[]
  of(task: TaskRow, job: JobRow, runner: Labels): Promise<AssignedTask>
}

/** Prepares what runners are told of the tasks of a run; undefined if it was deleted, or its repository given to another owner. */
export async function prepareContent(ctx: ServiceCtx, runId: number): Promise<TaskContent | undefined> {
  const source = await findRunSource(ctx.db, runId)
  if (!source) return undefined
  const workflow = parseWorkflow(source.document)
  // Tasks that are made at once have the same.
  let values: Promise<[Record<string, string>, Record<string, string>]> | undefined
  return {
    steps: jobKey => stepNames(workflow, jobKey),
    async of(task, job, runner) {
      const token = await issueJobToken(ctx.config, task)
      values ??= Promise.all([secretsFor(ctx, source.repository), variablesFor(ctx, source.repository)])
      const [secrets, vars] = await values
      return {
        id: task.id,
        workflowPayload: payloadOf(workflow, job, runsOn(job.labels, runner)),
        context: contextOf(ctx.config, source, job, token),
        secrets: { ...secrets, GITHUB_TOKEN: token, GITEA_TOKEN: token },
        vars,
        needs: await findNeeds(ctx.db, job),
      }
    },
  }
}

// By its own labels a runner finds out where to run a job: it does not know those that were added on the server.
function runsOn(
  labels: readonly string[],
  { declared_labels: declared, labels_edited }: Labels,
): readonly string[] {
  if (labels.length > 0 && !labels_edited) return labels
  const known = labels.filter(label => declared.includes(label))
  return known.length > 0 ? known : declared
}
