import type { ServiceCtx } from '@/server/kernel/ctx'
import type { ReleaseFor } from '../load'
import type { EditorAnswer, ShownAsset } from './schema'
import { selectShownAssets } from './store'
import { viewShownAssets } from './view'

/** Returns a release and its files for the release editor. */
export async function showEdited(ctx: ServiceCtx, found: ReleaseFor<'write'>): Promise<EditorAnswer> {
  const { release } = found
  return {
    release: {
      id: release.id,
      tag_name: release.tag_name,
      target_commitish: release.target,
      name: release.title,
      body: release.body,
      draft: release.is_draft,
      prerelease: release.is_prerelease,
    },
    assets: await listShownAssets(ctx, found),
  }
}

/** Lists the files of a release as pages show them, sorted by name. */
export async function listShownAssets(
  ctx: Pick<ServiceCtx, 'db'>,
  found: ReleaseFor<'write'>,
): Promise<ShownAsset[]> {
  return viewShownAssets(found, found.release, await selectShownAssets(ctx.db, [found.release.id]))
}
