import { askingFor, askThread, githubContext, type RunPlan, storable } from '@/server/actions'
import type { Account } from '@/server/kernel/account'
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

/** In whose name workflows are read that start: of whoever makes them, or else of the owner. */
export const askerOf = ({ owner, actor }: Pick<Cause, 'owner' | 'actor'>): number => (actor ?? owner).id

/**
 * Plans a run of a workflow.
 * @throws {DomainError} unprocessable with what is wrong with the workflow; tooManyRequests if too many are read at once.
 */
export async function runOf(
  ctx: ServiceCtx,
  cause: Cause,
  { path, document }: { path: string; document: string },
): Promise<RunPlan> {
  const context = contextFor(ctx, cause)
  const { payload, repository } = cause
  const start = {
    payload,
    vars: /\bvars\b/i.test(document) ? await variablesFor(ctx, repository) : {},
  }
  const asked = { document, path, context, start }
  const { name, title, jobs, inputs } = await askThread(askingFor(ctx, askerOf(cause)), 'plan', asked)
  return {
    ...about(cause, path, document),
    title: title || cause.title || name || path,
    workflow_name: name || path,
    context: { ...context, workflow: name || path },
    jobs,
    inputs,
    ...start,
  }
}

/** Plans a run that only says why its workflow cannot be run. */
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
    context: { ...contextFor(ctx, cause), workflow: path },
    jobs: [],
    error: storable(error),
  }
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
