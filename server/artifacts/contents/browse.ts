import { canWriteActions, loadRun } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { offsetOf } from '@/server/kernel/pagination'
import type { ArtifactPageAnswer, BrowseArtifactsInput, BrowsedArtifacts, ShowArtifactInput } from './schema'
import { findShownArtifact, selectShownArtifacts } from './store'
import { viewShownArtifact } from './view'

/**
 * Lists a page of the artifacts of one attempt of a run, by name, including those that are being uploaded.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions.
 */
export async function browseArtifacts(
  ctx: ServiceCtx,
  input: BrowseArtifactsInput,
): Promise<BrowsedArtifacts> {
  const found = await loadRun(ctx, input, 'read')
  const now = ctx.clock.now()
  const wanted = { runId: found.run.id, attempt: input.attempt, q: input.q?.trim() ?? '', now }
  const { page, limit } = input
  const artifacts = await selectShownArtifacts(ctx.db, wanted, input)
  // The page is past the last artifact, perhaps after deletions, so the counts are read from the first page.
  const [counts = { total: 0, available_size: 0 }] =
    artifacts.length > 0 || offsetOf(input) === 0
      ? artifacts
      : await selectShownArtifacts(ctx.db, wanted, { page: 1, limit: 1 })
  return {
    items: artifacts.map(artifact => viewShownArtifact(artifact, now)),
    total: counts.total,
    page,
    limit,
    available_size: counts.available_size,
    may_write: canWriteActions(found),
  }
}

/**
 * Returns an artifact of a run for its page, by ID or else by name.
 * @throws {DomainError} as `browseArtifacts`, and notFound if there is no such artifact.
 */
export async function showArtifactPage(
  ctx: ServiceCtx,
  input: ShowArtifactInput,
): Promise<ArtifactPageAnswer> {
  const found = await loadRun(ctx, input, 'read')
  const name = input.artifact
  const id = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined
  const artifact = await findShownArtifact(ctx.db, found.run.id, { id, name })
  if (!artifact) throw deleted('artifact')
  return {
    artifact: viewShownArtifact(artifact, ctx.clock.now()),
    run: { id: found.run.id, number: found.run.number, workflow_name: found.run.workflow_name },
    may_write: canWriteActions(found),
  }
}
