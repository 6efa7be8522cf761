import { askingToShow, findLastOutcome, loadActions } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, notFound } from '@/server/kernel/errors'
import { summaryBy } from './files'
import type { BadgeInput } from './schema'
import { findWorkflow } from './workflows'

/** What a badge of a workflow shows. */
export interface Badge {
  /** Name of the workflow, or else the path of its file. */
  name: string
  state: 'passing' | 'failing' | 'no status'
  isPrivate: boolean
}

/**
 * Returns the outcome of the newest run of a workflow on a branch, by default the default branch, that succeeded or
 * failed; only of those that an event started if there is one.
 * @throws {DomainError} as `loadActions`; notFound without a further explanation if the default branch has no such
 * workflow.
 */
export async function getBadge(
  ctx: ServiceCtx,
  { workflow_id, branch, event, ...path }: BadgeInput,
): Promise<Badge> {
  const found = await loadActions(ctx, path, 'read')
  const { id: repositoryId, default_branch, is_private: isPrivate } = found.repository
  const file = await findWorkflow(ctx, found, workflow_id).catch(error => {
    throw isDomainError(error) && error.kind === 'notFound' ? notFound() : error
  })
  const ref = `refs/heads/${branch || default_branch}`
  const outcome = await findLastOutcome(ctx.db, { repositoryId, workflow: file.path, ref, event })
  const { name } = await summaryBy(askingToShow(ctx), file)
  const state = outcome === undefined ? 'no status' : outcome === 'success' ? 'passing' : 'failing'
  return { name, state, isPrivate }
}
