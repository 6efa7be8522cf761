import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { encodePath } from '@/server/kernel/url-path'
import { wireTime } from '@/server/kernel/wire'
import { archiveUrls } from '@/server/repos'
import { selectAccounts, viewGhost, viewUserForOthers } from '@/server/users'
import { attachmentsOf } from './assets/store'
import { viewAttachments } from './assets/view'
import type { Release } from './schema'
import type { ReleaseRow } from './store'

/** Converts a release to its wire format, with its files. */
export async function viewRelease(
  ctx: Pick<ServiceCtx, 'config' | 'db'>,
  found: RepositoryNames,
  release: ReleaseRow,
): Promise<Release> {
  const [shown] = await viewReleases(ctx, found, [release])
  return shown as Release
}

/** Converts releases to their wire format, with one query for all publishers and one for all files. */
export async function viewReleases(
  { config, db }: Pick<ServiceCtx, 'config' | 'db'>,
  found: RepositoryNames,
  releases: readonly ReleaseRow[],
): Promise<Release[]> {
  const publishers = await selectAccounts(
    db,
    releases.flatMap(({ publisher_id }) => publisher_id ?? []),
  )
  const files = await attachmentsOf(
    db,
    releases.map(({ id }) => id),
  )
  // The publisher is always shown as anonymous readers see them, so that a release never reveals an email
  // address.
  const ctx = { config, caller: anonymous }
  return releases.map(release => {
    const publisher = release.publisher_id === null ? undefined : publishers.get(release.publisher_id)
    return {
      id: release.id,
      tag_name: release.tag_name,
      target_commitish: release.target,
      name: release.title,
      body: release.body,
      ...addresses(config.baseUrl, found, release),
      draft: release.is_draft,
      prerelease: release.is_prerelease,
      created_at: wireTime(release.created_at),
      published_at: wireTime(release.created_at),
      author: publisher ? viewUserForOthers(ctx, publisher) : viewGhost(ctx),
      assets: viewAttachments(ctx, found, release, files.get(release.id) ?? []),
    }
  })
}

interface RepositoryNames {
  repository: { name: string }
  owner: { name: string }
}

function addresses(baseUrl: string, { repository, owner }: RepositoryNames, { id, tag_name }: ReleaseRow) {
  const name = `${owner.name}/${repository.name}`
  const url = `${baseUrl}/api/v1/repos/${name}/releases/${id}`
  return {
    url,
    html_url: `${baseUrl}/${name}/releases/tag/${encodePath(tag_name)}`,
    ...archiveUrls({ config: { baseUrl } }, { owner, repository }, tag_name),
    upload_url: `${url}/assets`,
  }
}
