import type { UserCtx } from '@/server/kernel/ctx'
import { requireNeed, writeCode } from '@/server/repos'
import { variablesFor } from '@/server/secrets'
import { githubContext } from './github-context'
import type { ActionsFor } from './load'
import { requireRunnable } from './policy'
import type { CreateRunOption, Run } from './schema'
import { startRun } from './start-run'
import { viewRun } from './view'
import { askThread } from './workflow/thread/ask'

/**
 * Creates a run from a workflow in the request. Nothing is read from the repository: ref and commit are only
 * names.
 * @throws {DomainError} forbidden without write access to code; unprocessable with the line and column of a
 * mistake in the workflow; tooManyRequests if too many workflows are being read; otherwise as `startRun`.
 */
export async function createRun(
  ctx: UserCtx,
  found: ActionsFor<'write'>,
  input: CreateRunOption,
): Promise<Run> {
  // The run's jobs get the secrets and can read the code, so only people who could also push the workflow may
  // send one.
  requireNeed(found, writeCode)
  // Checked before a long workflow is read.
  requireRunnable(found.repository)
  const ref = fullRef(input.ref || found.repository.default_branch)
  const { sha, event, path, workflow: document } = input
  const actor = ctx.caller.user
  const context = githubContext(ctx.config, found, { ref, sha, event, actor, path })
  const vars = await variablesFor(ctx, found.repository)
  const asked = { document, path, context, start: { payload: {}, vars } }
  const { name, title, ...planned } = await askThread(ctx, 'plan', asked)
  const { run } = await startRun(ctx, found, {
    title: input.title || title || name || path,
    workflow_path: path,
    workflow_name: name || path,
    context,
    document,
    event,
    ref,
    sha,
    vars,
    ...planned,
    ...(input.title && { later: { ...planned.later, title: undefined } }),
  })
  return await viewRun(ctx, found, run)
}

const fullRef = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`)
