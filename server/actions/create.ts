import type { UserCtx } from '@/server/kernel/ctx'
import type { ActionsFor } from './load'
import { requireUnarchived } from './policy'
import type { CreateRunOption, Run } from './schema'
import { startRun } from './start-run'
import type { RunRow } from './store'
import { shortRef, viewRun } from './view'
import { planWorkflow } from './workflow/plan'

/**
 * Creates a run of a workflow that comes with the call. Nothing is read from the repository: ref and commit are names.
 * @throws {DomainError} unprocessable with line and column of what is wrong with the workflow; otherwise as `startRun`.
 */
export async function createRun(
  ctx: UserCtx,
  found: ActionsFor<'write'>,
  input: CreateRunOption,
): Promise<Run> {
  // Before a long workflow is read.
  requireUnarchived(found.repository)
  const ref = fullRef(input.ref || found.repository.default_branch)
  const { sha, event, path, workflow: document } = input
  const context = githubContext(ctx, found, { ref, sha, event })
  const { name, title, jobs } = await planWorkflow(document, context)
  const { run } = await startRun(ctx, found, {
    title: input.title || title || name || path,
    workflow_path: path,
    workflow_name: name || path,
    context: { ...context, workflow: name || path },
    document,
    event,
    ref,
    sha,
    jobs,
  })
  return await viewRun(ctx, found, run)
}

const fullRef = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`)

function githubContext(
  { config: { baseUrl }, caller: { user } }: UserCtx,
  { repository, owner }: ActionsFor,
  { ref, sha, event }: Pick<RunRow, 'ref' | 'sha' | 'event'>,
): Record<string, string> {
  return {
    event_name: event,
    ref,
    ref_name: shortRef(ref),
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    sha,
    repository: `${owner.name}/${repository.name}`,
    repository_id: String(repository.id),
    repository_owner: owner.name,
    actor: user.name,
    triggering_actor: user.name,
    server_url: baseUrl,
    api_url: `${baseUrl}/api/v1`,
  }
}
