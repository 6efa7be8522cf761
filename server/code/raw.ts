import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { parseCommit } from '@/server/kernel/git/commit'
import { readObjects } from '@/server/kernel/git/objects'
import type { Header } from '@/server/kernel/git/readers/answers'
import { isObjectId } from '@/server/kernel/git/ref-names'
import { type Revision, type RevisionAndPath, splitRevision } from '@/server/kernel/git/revision'
import type { RepoPath } from '@/server/repos/schema'
import { type ReadableCode, requireRevision, withCode } from './context'
import { findFormerIn } from './former-branch'
import { lastCommitsOf } from './last-commits'
import { cleanPath } from './path'
import { findBlob } from './tree/blob'
import { findEntry } from './tree/entries'

/**
 * Which file is asked for: by a path and a parameter `ref`; by a path that begins with a revision, of one kind or
 * any; or by the ID of a blob.
 */
export type RawTarget =
  | { by: 'path'; path: string; ref: string | undefined }
  | { by: 'revision'; kind: Revision['kind'] | undefined; path: string }
  | { by: 'blob'; id: string }

/** A file or symbolic link in a repository, without its content. */
export interface RawFile {
  /** Directory of the repository's Git data. */
  git: string
  header: Header
  name: string
  type: 'file' | 'symlink'
  isPrivate: boolean
  /** When the last commit changed the file, if that is known already or found quickly. */
  changedAt: Date | undefined
}

/**
 * Finds a file or symbolic link. Without `ref`, a path can begin with the name of a branch or tag.
 * @throws {DomainError} invalid for a path that no file can have; notFound, also for directories and submodules;
 * moved after a rename; forbidden without read access to the code.
 */
export async function findRawFile(ctx: ServiceCtx, path: RepoPath, target: RawTarget): Promise<RawFile> {
  return await withCode(ctx, path, async code => {
    const about = { git: code.git, isPrivate: code.repository.is_private }
    if (target.by === 'blob') {
      const header = await requireBlob(code, target.id)
      return { ...about, header, name: target.id, type: 'file', changedAt: undefined }
    }
    const { revision, path } = await location(code, target)
    const clean = cleanPath(path)
    const entry = clean ? await findEntry(code.git, revision.commit, clean) : undefined
    if (entry?.type !== 'blob') throw notFound(`there is no file "${clean}" at "${revision.name}"`)
    const header = await requireBlob(code, entry.id)
    const changedAt = await timeOfChange(ctx, code, revision.commit, clean)
    const type = entry.mode === '120000' ? 'symlink' : 'file'
    return { ...about, header, name: entry.name, type, changedAt }
  })
}

/**
 * Returns the path of a file under the present name of its branch, such as `main/a.txt`, if the path begins with a
 * former name; undefined if it begins with what exists.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function findRenamedRaw(
  ctx: ServiceCtx,
  path: RepoPath,
  target: RawTarget,
): Promise<string | undefined> {
  if (target.by !== 'revision') return undefined
  return await withCode(ctx, path, async code => {
    if (await splitRevision(code.git, target.path, target.kind ? [target.kind] : allKinds)) return undefined
    const former = await findFormerIn(ctx, code, target)
    return former && `${former.to}/${former.path}`
  })
}

async function requireBlob({ git }: ReadableCode, id: string): Promise<Header> {
  const header = isObjectId(id) ? await findBlob(git, id) : undefined
  if (!header) throw notFound()
  return header
}

const allKinds = ['branch', 'tag', 'commit'] as const

async function location(
  code: ReadableCode,
  target: Exclude<RawTarget, { by: 'blob' }>,
): Promise<RevisionAndPath> {
  if (target.by === 'revision') {
    const found = await splitRevision(code.git, target.path, target.kind ? [target.kind] : allKinds)
    if (!found) throw notFound(`no ${target.kind ?? 'branch, tag, or commit'} is named "${target.path}"`)
    return found
  }
  const { path, ref } = target
  const leading =
    ref || !path.includes('/') ? undefined : await splitRevision(code.git, path, ['branch', 'tag'])
  if (leading && leading.path !== '') return leading
  return { revision: await requireRevision(code, ref), path }
}

const waitMs = 100

async function timeOfChange(
  ctx: ServiceCtx,
  { git }: ReadableCode,
  commit: string,
  path: string,
): Promise<Date | undefined> {
  const end = path.lastIndexOf('/')
  const folder = { repository: git, commit, path: path.slice(0, Math.max(end, 0)) }
  const { commits } = await lastCommitsOf(ctx, folder, waitMs)
  const id = commits.get(path.slice(end + 1))
  const [object] = id ? await readObjects(git, [id]) : []
  return object && parseCommit(object).committer.date
}
