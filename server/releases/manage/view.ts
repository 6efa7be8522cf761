import type { ServiceCtx } from '@/server/kernel/ctx'
import { loadMarkdown } from '@/server/kernel/markdown'
import { highlightBlocks } from '@/server/kernel/rendering'
import { encodePath } from '@/server/kernel/url-path'
import { wireTime } from '@/server/kernel/wire'
import { selectAccounts } from '@/server/users'
import type { ReleasesFor } from '../load'
import { findLatestRelease, type ReleaseRow } from '../store'
import { notesOptions } from './notes'
import type { ShownAsset, ShownRelease } from './schema'
import { type AssetRow, selectShownAssets } from './store'

type ViewCtx = Pick<ServiceCtx, 'config' | 'db' | 'caller'>

/** The maximum amount of each release to show in a list. */
interface Beginning {
  /** The approximate maximum number of lines of the notes. */
  bodyLines: number
  files: number
}

/**
 * Converts releases to the shape that pages use, with one query for each kind of related row. If `beginning`
 * is set, long notes and long lists of files are truncated.
 */
export async function viewShownReleases(
  ctx: ViewCtx,
  found: ReleasesFor,
  releases: readonly ReleaseRow[],
  beginning?: Beginning,
): Promise<ShownRelease[]> {
  const { db } = ctx
  const ids = releases.map(({ id }) => id)
  const [{ renderBeginning, renderMarkdown }, authors, assets, latest, options] = await Promise.all([
    loadMarkdown(),
    selectAccounts(
      db,
      releases.flatMap(({ publisher_id }) => publisher_id ?? []),
    ),
    selectShownAssets(db, ids, beginning?.files),
    findLatestRelease(db, found.repository.id),
    notesOptions(
      ctx,
      found,
      releases.map(({ body }) => body),
    ),
  ])
  const views = releases.map(async release => {
    const author = release.publisher_id === null ? undefined : authors.get(release.publisher_id)
    const own = assets.filter(({ release_id }) => release_id === release.id)
    const notes =
      beginning === undefined
        ? { html: renderMarkdown(release.body, options), isCut: false }
        : renderBeginning(release.body, { ...options, lines: beginning.bodyLines })
    return {
      id: release.id,
      tag_name: release.tag_name,
      title: release.title || release.tag_name,
      body_html: await highlightBlocks(notes.html),
      body_is_cut: notes.isCut,
      draft: release.is_draft,
      prerelease: release.is_prerelease,
      is_latest: release.id === latest?.id,
      sha: release.sha,
      target: release.target,
      commits_since: null,
      created_at: wireTime(release.created_at),
      by_run: release.by_run,
      author: author ? { id: author.id, login: author.name } : null,
      assets: viewShownAssets(found, release, own),
      asset_count: own[0]?.of_release ?? 0,
    }
  })
  return await Promise.all(views)
}

/**
 * Converts files of one release to the shape that pages use. Only the newest file with a name has a URL that
 * contains the name.
 */
export function viewShownAssets(
  { owner, repository }: ReleasesFor,
  { tag_name }: Pick<ReleaseRow, 'tag_name'>,
  assets: readonly AssetRow[],
): ShownAsset[] {
  const directory = `/${owner.name}/${repository.name}/releases/download/${encodePath(tag_name)}`
  return assets.map(asset => ({
    id: asset.id,
    name: asset.name,
    has_name: asset.id === asset.newest_of_name,
    size: asset.size,
    sha256: asset.sha256.toString('hex'),
    download_count: asset.download_count,
    created_at: wireTime(asset.created_at),
    uploader:
      asset.uploader !== null && asset.uploader_id !== null
        ? { id: asset.uploader_id, login: asset.uploader }
        : null,
    download_url:
      asset.id === asset.newest_of_name
        ? `${directory}/${encodeURIComponent(asset.name)}`
        : `/attachments/${asset.uuid}`,
  }))
}
