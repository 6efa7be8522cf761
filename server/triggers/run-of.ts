import { askingFor, askThread, githubContext, type RunPlan, storable } from '@/server/actions'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RepositoryRow } from '@/server/repos'
import { variablesFor } from '@/server/secrets'

/** Event, person or schedule that starts runs, and the commit that they are for. */
export interface Cause {
  repository: RepositoryRow
  owner: Account
  /** Account that caused the event; undefined for schedules, or if it was deleted. */
  actor: Account | undefined
  /** Name of the event, as workflows use it. */
  event: string
  /** Full name of the ref that the runs are for. */
  ref: string
  commit: string
  /** Object that expressions read as `github.event`. */
  payload: Record<string, unknown>
  /** Title of runs whose workflow sets none; if empty, the workflow's name is used. */
  title: string
  /** Recorded event; absent if a person or a schedule starts the run. */
  eventId?: number
  /** Number of runs that led to this one by `workflow_run` events. */
  level?: number
}

/** Returns the account on whose behalf the workflows are read: the actor's, or else the owner's. */
export const askerOf = ({ owner, actor }: Pick<Cause, 'owner' | 'actor'>): number => (actor ?? owner).id

/**
 * Reads a workflow and returns the run that it would start, with its jobs, without storing anything.
 * @throws {DomainError} unprocessable with the mistake in the workflow; tooManyRequests if too many workflows
 * are being read.
 */
export async function runOf(
  ctx: ServiceCtx,
  cause: Cause,
  { path, document }: { path: string; document: string },
): Promise<RunPlan> {
  const context = contextFor(ctx, cause, path)
  const { payload, repository } = cause
  const start = {
    payload,
    vars: readsVars.test(document) ? await variablesFor(ctx, repository) : {},
  }
  const asked = { document, path, context, start }
  const { name, title, ...planned } = await askThread(askingFor(ctx, askerOf(cause)), 'plan', asked)
  return {
    ...about(cause, path, document),
    title: title || cause.title || name || path,
    workflow_name: name || path,
    context,
    ...planned,
    ...start,
  }
}

// Names of files are in calls of reusable workflows, which can read variables themselves.
const readsVars = /\bvars\b|\.ya?ml\b/i

/** Plans a run that fails immediately and only shows why its workflow cannot run. */
export function failedRun(
  ctx: ServiceCtx,
  cause: Cause,
  { path, document }: { path: string; document?: string },
  error: string,
): RunPlan {
  return {
    ...about(cause, path, document ?? ''),
    title: cause.title || path,
    workflow_name: path,
    context: contextFor(ctx, cause, path),
    jobs: [],
    error: storable(error),
  }
}

const contextFor = (ctx: ServiceCtx, cause: Cause, path: string) => {
  const { event, ref, commit: sha, actor } = cause
  return githubContext(ctx.config, cause, { event, ref, sha, actor, path })
}

const about = (
  { event, ref, commit, payload, eventId, level = 0 }: Cause,
  path: string,
  document: string,
) => ({
  workflow_path: path,
  document: document.replaceAll('\0', ''),
  event,
  ref,
  sha: commit,
  payload,
  level,
  ...(eventId === undefined ? {} : { trigger_event_id: eventId }),
})
