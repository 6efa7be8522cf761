import {
  askingFor,
  askThread,
  type CalledJob,
  findCalledJob,
  findNeeds,
  findRunSource,
  type JobRow,
  type Need,
  type RunSource,
  selectCalled,
  type TaskRow,
} from '@/server/actions'
import { issueJobToken } from '@/server/auth/credentials/job-token'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { secretsFor, variablesFor } from '@/server/secrets'
import { contextOf, type JsonValue } from './context'

/** Task as it is sent to its runner. If it is sent again, everything is the same, including the token. */
export interface AssignedTask {
  id: number
  /** Workflow as YAML, reduced to one job. */
  workflowPayload: string
  context: Record<string, JsonValue>
  secrets: Record<string, string>
  vars: Record<string, string>
  needs: Record<string, Need>
}

type JobInWorkflow = Pick<JobRow, 'id' | 'job_key' | 'workflow_id'>

interface Labels {
  labels: readonly string[]
  declared_labels: readonly string[]
  labels_edited: boolean
}

/** Builder for the content of one run's tasks. */
export interface TaskContent {
  repository: RunSource['repository']
  /** Returns the names of the steps of these jobs, by job. */
  steps(jobs: readonly JobInWorkflow[]): Promise<Map<number, string[]>>
  /**
   * Builds the content of a task.
   * @throws {UnsendableJobError} if the job uses a secret that the site's key cannot decrypt; DomainError
   * unprocessable if an expression that passes on a secret fails.
   */
  of(task: TaskRow, job: JobRow, runner: Labels): Promise<AssignedTask>
}

/** Thrown if a job cannot be sent to any runner. The message is shown with the job. */
export class UnsendableJobError extends Error {
  override name = 'UnsendableJobError'

  constructor(
    readonly reason: 'secret_sealed',
    message: string,
  ) {
    super(message)
  }
}

/**
 * Loads the data that the tasks of a run are built from; undefined if the run was deleted or its repository
 * transferred.
 */
export async function prepareContent(ctx: ServiceCtx, runId: number): Promise<TaskContent | undefined> {
  const source = await findRunSource(ctx.db, runId)
  if (!source) return undefined
  const { document } = source
  const asking = askingFor(ctx, source.repository.owner_id)
  // Loaded once, because tasks that are built together get the same secrets and variables.
  const valuesOf = () =>
    Promise.all([secretsFor(ctx, source.repository), variablesFor(ctx, source.repository)])
  let values: ReturnType<typeof valuesOf> | undefined
  return {
    repository: source.repository,
    async steps(jobs) {
      const called = await selectCalled(
        ctx.db,
        jobs.flatMap(({ workflow_id }) => workflow_id ?? []),
      )
      const found = new Map<number, string[]>()
      for (const id of new Set(jobs.map(({ workflow_id }) => workflow_id))) {
        const own = jobs.filter(({ workflow_id }) => workflow_id === id)
        const text = id === null ? document : (called.get(id)?.document ?? '')
        const jobKeys = [...new Set(own.map(({ job_key }) => job_key))]
        const names = await askThread(asking, 'stepNames', { document: text, jobKeys })
        for (const job of own) found.set(job.id, names[jobKeys.indexOf(job.job_key)] ?? [])
      }
      return found
    },
    async of(task, job, runner) {
      const token = await issueJobToken(ctx.config, task)
      values ??= valuesOf()
      const [{ secrets: all, sealed }, vars] = await values
      const called = await findCalledJob(ctx, source, job)
      const tokens = { GITHUB_TOKEN: token, GITEA_TOKEN: token }
      const secrets = called ? called.secrets({ ...all, ...tokens }, vars) : all
      const { job_key, matrix } = job
      const labels = runsOn(job.labels, runner)
      const { workflow_name: name } = source.run
      const isDispatched = called !== undefined && source.run.event === 'workflow_dispatch'
      const text = called?.workflow.document ?? document
      const asked = { document: text, job: { job_key, matrix }, labels, name, isDispatched }
      const workflowPayload = await askThread(asking, 'cut', asked)
      const used = `${workflowPayload}\n\${{ ${called?.passing ?? ''} }}`
      const lost = sealed.find(each => usesSecret(used, each))
      if (lost) throw new UnsendableJobError('secret_sealed', `The secret ${lost} cannot be decrypted.`)
      return {
        id: task.id,
        workflowPayload,
        context: contextOf(ctx.config, withInputs(source, called, workflowPayload), job, token),
        secrets: { ...secrets, ...tokens },
        vars,
        needs: await findNeeds(ctx.db, job),
      }
    },
  }
}

// The runner finds inputs only in the event, and only if the event has inputs.
function withInputs(
  { run, payload, ...source }: RunSource,
  called: CalledJob | undefined,
  workflow: string,
): RunSource {
  if (!called || !/\binputs\b/i.test(workflow)) return { ...source, run, payload }
  const event = run.event === 'workflow_dispatch' ? run.event : 'workflow_call'
  return { ...source, run: { ...run, event }, payload: { ...payload, inputs: called.inputs } }
}

// A payload uses a secret by its name, or all secrets together: `secrets[…]`, `toJSON(secrets)`, `secrets:
// inherit`.
function usesSecret(payload: string, name: string): boolean {
  if (/\bsecrets:\s*["']?inherit\b/.test(payload)) return true
  const expressions = [...payload.matchAll(/\$\{\{(.*?)\}\}/gs)].map(([, inside]) => inside).join('\n')
  const uses = expressions.matchAll(/\bsecrets\b(?:\s*\.\s*([\w-]+))?/gi)
  return [...uses].some(([, used]) => used === undefined || used.toUpperCase() === name.toUpperCase())
}

// A runner decides by its own labels how to run a job, and does not know the labels that were added on the
// server.
function runsOn(
  labels: readonly string[],
  { declared_labels: declared, labels_edited }: Labels,
): readonly string[] {
  if (labels.length > 0 && !labels_edited) return labels
  const known = labels.filter(label => declared.includes(label))
  return known.length > 0 ? known : declared
}
