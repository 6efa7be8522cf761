import type { ServiceCtx, ViewCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { encodePath } from '@/server/kernel/url-path'
import { loadRepository, type RepositoryWithAccess } from './load'
import { readCode } from './policy'
import type { RepoPath } from './schema'
import { findCommit } from './storage'

/** The files of a commit, to be packed into one. */
export interface Archive {
  repository: RepositoryWithAccess['repository']
  owner: RepositoryWithAccess['owner']
  /** The id of the commit. */
  commit: string
  format: 'zip' | 'tar.gz'
  /** What the packed file is called. */
  fileName: string
  /** The directory in it that everything lies in. */
  directory: string
}

/**
 * Finds what an archive is to be made of, by its name: a tag, a branch or the id of a commit, then `.zip` or `.tar.gz`.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to the code.
 */
export async function findArchive(ctx: ServiceCtx, path: RepoPath & { archive: string }): Promise<Archive> {
  const { repository, owner } = await loadRepository(ctx, path, readCode)
  const [, ref, format] = /^(.+)\.(zip|tar\.gz)$/s.exec(path.archive) ?? []
  if (!ref || repository.is_empty) throw notFound()
  const commit = await findCommit(ctx, repository.storage_key, ref)
  if (!commit) throw notFound()
  const { name } = repository
  const shortRef = ref.replace(/^refs\/(?:tags|heads)\//, '').replaceAll('/', '-')
  const fileName = `${name}-${shortRef}.${format}`
  return { repository, owner, commit, format: format as Archive['format'], fileName, directory: name }
}

/** Where the archives of a tag or branch are. */
export function archiveUrls(
  { config }: Pick<ViewCtx, 'config'>,
  { owner, repository }: { owner: { name: string }; repository: { name: string } },
  ref: string,
): { zipball_url: string; tarball_url: string } {
  const base = `${config.baseUrl}/${owner.name}/${repository.name}/archive/${encodePath(ref)}`
  return { zipball_url: `${base}.zip`, tarball_url: `${base}.tar.gz` }
}
