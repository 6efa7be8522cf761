import {
  askingFor,
  askThread,
  findNeeds,
  findRunSource,
  type JobRow,
  type Need,
  type RunSource,
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

interface Labels {
  labels: readonly string[]
  declared_labels: readonly string[]
  labels_edited: boolean
}

/** Builder for the content of one run's tasks. */
export interface TaskContent {
  repository: RunSource['repository']
  /** Returns the names of the steps of these jobs, by job ID in the workflow. */
  steps(jobKeys: readonly string[]): Promise<Map<string, string[]>>
  /**
   * Builds the content of a task.
   * @throws {SealedSecretError} if the job uses a secret that the site's key cannot decrypt.
   */
  of(task: TaskRow, job: JobRow, runner: Labels): Promise<AssignedTask>
}

/** Thrown if a job uses a secret that cannot be decrypted. */
export class SealedSecretError extends Error {
  override name = 'SealedSecretError'
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
    async steps(keys) {
      const jobKeys = [...new Set(keys)]
      const names = await askThread(asking, 'stepNames', { document, jobKeys })
      return new Map(jobKeys.map((key, index) => [key, names[index] ?? []]))
    },
    async of(task, job, runner) {
      const token = await issueJobToken(ctx.config, task)
      values ??= valuesOf()
      const [{ secrets, sealed }, vars] = await values
      const { job_key, matrix } = job
      const labels = runsOn(job.labels, runner)
      const { workflow_name: name } = source.run
      const asked = { document, job: { job_key, matrix }, labels, name }
      const workflowPayload = await askThread(asking, 'cut', asked)
      const lost = sealed.find(each => usesSecret(workflowPayload, each))
      if (lost) throw new SealedSecretError(`the secret ${lost} cannot be decrypted`)
      return {
        id: task.id,
        workflowPayload,
        context: contextOf(ctx.config, source, job, token),
        secrets: { ...secrets, GITHUB_TOKEN: token, GITEA_TOKEN: token },
        vars,
        needs: await findNeeds(ctx.db, job),
      }
    },
  }
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
