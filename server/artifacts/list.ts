import { type ActionsFor, loadActions, loadRun } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { githubPage } from '@/server/kernel/pagination'
import type { ArtifactList, ListArtifactsInput, ListRunArtifactsInput } from './schema'
import { type ArtifactFilter, countArtifacts, selectArtifacts } from './store'
import { viewArtifact } from './view'

/**
 * Lists a page of a repository's artifacts by ID, including expired ones.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions.
 */
export async function listArtifacts(ctx: ServiceCtx, input: ListArtifactsInput): Promise<ArtifactList> {
  const found = await loadActions(ctx, input, 'read')
  const { id: repositoryId, artifact_count } = found.repository
  return await list(ctx, found, input, { repositoryId, name: input.name }, artifact_count)
}

/**
 * Lists a page of the artifacts of all attempts of a run by ID, including expired ones.
 * @throws {DomainError} as `listArtifacts`.
 */
export async function listRunArtifacts(ctx: ServiceCtx, input: ListRunArtifactsInput): Promise<ArtifactList> {
  const found = await loadRun(ctx, input, 'read')
  const { id: runId, artifact_count } = found.run
  return await list(ctx, found, input, { runId, name: input.name }, artifact_count)
}

async function list(
  ctx: ServiceCtx,
  found: ActionsFor<'read'>,
  input: Omit<ListArtifactsInput, 'owner' | 'repo'>,
  filter: ArtifactFilter,
  count: number,
): Promise<ArtifactList> {
  const rows = await selectArtifacts(ctx.db, filter, githubPage(input))
  return {
    artifacts: rows.map(row => viewArtifact(ctx, found, row)),
    total_count: filter.name ? await countArtifacts(ctx.db, filter) : count,
  }
}
