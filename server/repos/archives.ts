import type { ServiceCtx, ViewCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { shortRef } from '@/server/kernel/git/ref-names'
import { encodePath } from '@/server/kernel/url-path'
import { loadRepository, type RepositoryWithAccess } from './load'
import { readCode } from './policy'
import type { RepoPath } from './schema'
import { findCommit } from './storage'

/** A commit to pack into an archive, with the archive's format and file name. */
export interface Archive {
  repository: RepositoryWithAccess['repository']
  owner: RepositoryWithAccess['owner']
  /** The commit ID. */
  commit: string
  format: 'zip' | 'tar.gz'
  /** The file name of the archive, such as `app-v1.0.zip`. */
  fileName: string
  /** The top-level directory inside the archive, which contains all files. */
  directory: string
}

/**
 * Resolves an archive name to a commit and a format. The name is a tag, a branch or a commit ID, followed by
 * `.zip` or `.tar.gz`.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function findArchive(ctx: ServiceCtx, path: RepoPath & { archive: string }): Promise<Archive> {
  const { repository, owner } = await loadRepository(ctx, path, readCode)
  const [, ref, format] = /^(.+)\.(zip|tar\.gz)$/s.exec(path.archive) ?? []
  if (!ref || repository.is_empty) throw notFound()
  const commit = await findCommit(ctx, repository.storage_key, ref)
  if (!commit) throw notFound()
  const { name } = repository
  const refName = shortRef(ref).replaceAll('/', '-')
  const fileName = `${name}-${refName}.${format}`
  return { repository, owner, commit, format: format as Archive['format'], fileName, directory: name }
}

/** Returns the URLs of the ZIP and tarball archives of a tag or branch. */
export function archiveUrls(
  { config }: Pick<ViewCtx, 'config'>,
  { owner, repository }: { owner: { name: string }; repository: { name: string } },
  ref: string,
): { zipball_url: string; tarball_url: string } {
  const base = `${config.baseUrl}/${owner.name}/${repository.name}/archive/${encodePath(ref)}`
  return { zipball_url: `${base}.zip`, tarball_url: `${base}.tar.gz` }
}
