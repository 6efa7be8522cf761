import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { RepoPath } from '@/server/repos/schema'
import { loadReleaseById, loadReleases } from '../load'
import { findLatestRelease, findReleaseByTag } from '../store'
import { type AttachmentRow, findAttachmentByName, findAttachmentByUuid, selectAttachments } from './store'

/** The file that a download URL identifies: by UUID, or by tag and file name. */
export type DownloadTarget =
  | { kind: 'uuid'; uuid: string; of: RepoPath | undefined }
  /** `tag` is undefined for the latest release. */
  | { kind: 'name'; of: RepoPath; name: string; tag: string | undefined }

/** The content of a download: a stored file or generated text. */
type Download = { file: AttachmentRow } | { text: string }

/**
 * Finds the file to download if the caller can read the repository's releases. The tag `latest` means the
 * latest release unless a release has that tag. `SHA256SUMS` is a generated list of the SHA-256 digests of
 * the release's files unless a file has that name.
 * @throws {DomainError} notFound, also for files of drafts that the caller cannot see; moved after a rename;
 * forbidden without access to releases.
 */
export async function findDownload(ctx: ServiceCtx, target: DownloadTarget): Promise<Download> {
  return target.kind === 'uuid' ? await byUuid(ctx, target) : await byName(ctx, target)
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function byUuid(ctx: ServiceCtx, { uuid, of }: DownloadTarget & { kind: 'uuid' }): Promise<Download> {
  const found = of && (await loadReleases(ctx, of, 'read'))
  const file = uuidForm.test(uuid) ? await findAttachmentByUuid(ctx.db, uuid) : undefined
  if (!file || (found && found.repository.id !== file.repository_id)) throw deleted('attachment')
  await loadReleaseById(ctx, file, 'read')
  return { file }
}

async function byName(
  ctx: ServiceCtx,
  { of, name, tag }: DownloadTarget & { kind: 'name' },
): Promise<Download> {
  const { repository, seesDrafts } = await loadReleases(ctx, of, 'read')
  const latest = () => findLatestRelease(ctx.db, repository.id)
  const tagged = tag === undefined ? await latest() : await findReleaseByTag(ctx.db, repository.id, tag)
  const release = tagged ?? (tag === 'latest' ? await latest() : undefined)
  if (!release || (release.is_draft && !seesDrafts)) throw deleted('release')
  const file = await findAttachmentByName(ctx.db, release.id, name)
  if (file) return { file }
  if (name !== 'SHA256SUMS') throw deleted('attachment')
  const files = await selectAttachments(ctx.db, release.id)
  if (files.length === 0) throw deleted('attachment')
  // If several files have the same name, the newest one counts, as in `findAttachmentByName`.
  const digests = new Map(files.map(each => [each.name, each.sha256.toString('hex')]))
  return { text: [...digests].map(([each, digest]) => `${digest}  ${each}\n`).join('') }
}
