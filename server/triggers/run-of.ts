import {
  contextsOf,
  githubContext,
  inputsOf,
  planWorkflow,
  type ReadyRun,
  readyRun,
  storable,
  type Workflow,
} from '@/server/actions'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RepositoryRow } from '@/server/repos'
import { variablesFor } from '@/server/secrets'

/** Why runs start, and of which commit. */
export interface Cause {
  repository: RepositoryRow
  owner: Account
  /** Who made it happen; undefined for schedules, and if the account is gone. */
  actor: Account | undefined
  /** As workflows name it. */
  event: string
  /** The full name of the ref that runs are for. */
  ref: string
  commit: string
  /** What expressions read as `github.event`. */
  payload: Record<string, unknown>
  /** Of runs whose workflow gives none; empty if the name of the workflow is the best. */
  title: string
  /** The recorded event; absent if a person or a schedule starts the run. */
  eventId?: number
}

/**
 * Plans a run of a workflow.
 * @throws {DomainError} unprocessable with what is wrong with the workflow.
 */
export async function runOf(
  ctx: ServiceCtx,
  cause: Cause,
  { path, document }: { path: string; document: string },
  workflow: Workflow,
): Promise<ReadyRun> {
  const context = contextFor(ctx, cause)
  const { payload, repository } = cause
  const start = {
    payload,
    inputs: inputsOf(document, payload),
    vars: /\bvars\b/i.test(document) ? await variablesFor(ctx, repository) : {},
  }
  const { name, title, jobs } = planWorkflow(workflow, contextsOf(context, start))
  return readyRun({
    ...about(cause, path, document),
    title: title || cause.title || name || path,
    workflow_name: name || path,
    context: { ...context, workflow: name || path },
    jobs,
    ...start,
  })
}

/** Plans a run that only says why its workflow cannot be run. */
export function failedRun(
  ctx: ServiceCtx,
  cause: Cause,
  { path, document }: { path: string; document?: string },
  error: string,
): ReadyRun {
  return readyRun({
    ...about(cause, path, document ?? ''),
    title: cause.title || path,
    workflow_name: path,
    context: { ...contextFor(ctx, cause), workflow: path },
    jobs: [],
    error: storable(error),
  })
}

const contextFor = (ctx: ServiceCtx, cause: Cause) => {
  const { event, ref, commit: sha, actor } = cause
  return githubContext(ctx.config, cause, { event, ref, sha, actor: actor?.name ?? '' })
}

const about = ({ event, ref, commit, payload, eventId }: Cause, path: string, document: string) => ({
  workflow_path: path,
  document: document.replaceAll('\0', ''),
  event,
  ref,
  sha: commit,
  payload,
  ...(eventId === undefined ? {} : { trigger_event_id: eventId }),
})
