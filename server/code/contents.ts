import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import type { Header } from '@/server/kernel/git/readers/answers'
import { shownName } from '@/server/kernel/git/ref-text'
import type { Revision } from '@/server/kernel/git/revision'
import type { TreeEntry } from '@/server/kernel/git/tree'
import type { RepoPath } from '@/server/repos/schema'
import { loadCode, type ReadableCode, requireRevision, withReading } from './context'
import { lastCommitsOf } from './last-commits'
import { readLfsPointer } from './lfs-pointer'
import { type CodeLinks, linksOf } from './links'
import { cleanPath } from './path'
import type { Contents } from './schema'
import { readSubmoduleUrls } from './submodules'
import { findBlob, readBlob } from './tree/blob'
import { findEntry, readDirectory } from './tree/entries'
import { typeOf } from './tree/entry-type'

interface ContentsInput extends RepoPath {
  path: string
  ref?: string | undefined
}

/** Larger files have no content in responses. */
export const maxContentBytes = 10 * 1024 * 1024
const maxTargetBytes = 4096
const maxEntries = 5_000
// Last commits that are found later are null.
const waitMs = 2_000
// Each entry repeats the path of the directory several times.
const maxPathCharacters = 1024 * 1024

/**
 * Returns a file, symbolic link, or submodule, or the list of the entries of a directory.
 * @throws {DomainError} invalid for a path that no file can have; notFound; unprocessable for a directory with too
 * many entries; moved after a rename; forbidden without read access to the code.
 */
export async function getContents(ctx: ServiceCtx, input: ContentsInput): Promise<Contents | Contents[]> {
  const path = cleanPath(input.path)
  const code = await loadCode(ctx, input)
  if (code.repository.is_empty) {
    if (path === '') return []
    throw notFound('the repository is empty')
  }
  const found = await withReading(ctx, async () => {
    const revision = await requireRevision(code, input.ref)
    const entry = path ? await findEntry(code.git, revision.commit, path) : undefined
    return { revision, entry, ref: input.ref || revision.name }
  })
  const { revision, entry, ref } = found
  if (path && !entry) throw notFound(`there is no file or directory "${path}" at "${ref}"`)
  const isDirectory = !entry || entry.type === 'tree'
  // The walk can take its time without holding the slot.
  const { commits } = await lastCommitsOf(
    ctx,
    { repository: code.git, commit: revision.commit, path: isDirectory ? path : folderOf(path) },
    waitMs,
  )
  const location: Location = { code, revision, links: linksOf(ctx, code), ref, commits }
  return await withReading<Contents | Contents[]>(ctx, async () =>
    isDirectory ? listDirectory(location, path) : viewWhole(location, path, entry),
  )
}

/**
 * Returns the file at a path of a branch, as `getContents` does, right after a commit changed it. Its content is left out
 * above `maxBytes`, and its last commit if it is not found in `waitMs`.
 * @throws {DomainError} the errors of `withReading`
 */
export async function viewChangedFile(
  ctx: ServiceCtx,
  code: ReadableCode,
  { branch, commit, path, entry, isChanged }: ChangedFile,
  { maxBytes, waitMs }: { maxBytes: number; waitMs: number },
): Promise<Contents> {
  const revision = { commit, kind: 'branch', name: branch } as const
  const { commits } = isChanged
    ? { commits: new Map([[entry.name, commit]]) }
    : await lastCommitsOf(ctx, { repository: code.git, commit, path: folderOf(path) }, waitMs)
  const location = { code, revision, links: linksOf(ctx, code), ref: branch, commits }
  return await withReading(ctx, () => viewWhole(location, path, entry, maxBytes))
}

interface ChangedFile {
  branch: string
  commit: string
  path: string
  entry: TreeEntry
  /** Whether the commit changed its content or mode. */
  isChanged: boolean
}

/** Where contents are read: a repository at a revision. */
interface Location {
  code: ReadableCode
  revision: Revision
  links: CodeLinks
  /** The revision as the request named it. */
  ref: string
  /** The last commit that changed each entry of the directory, by name. */
  commits: ReadonlyMap<string, string>
}

async function listDirectory(location: Location, path: string): Promise<Contents[]> {
  const { code, revision, commits } = location
  const folder = await readDirectory(code.git, revision.commit, path)
  if (!folder) throw notFound()
  const { entries } = folder
  if (entries.length > maxEntries || entries.length * path.length > maxPathCharacters) {
    throw unprocessable(
      `this directory has ${entries.length} entries, which is too many for one response; read it page by page with git/trees`,
    )
  }
  const sizes = await sizesOf(code.git, entries)
  const urls = await submoduleUrls(location, entries)
  return entries.map((entry, index) => {
    const full = path ? `${path}/${entry.name}` : entry.name
    const last = commits.get(entry.name) ?? null
    return { ...view(location, full, entry, sizes[index] ?? 0, last), submodule_git_url: urls(full, entry) }
  })
}

async function viewWhole(
  location: Location,
  path: string,
  entry: TreeEntry,
  maxBytes = maxContentBytes,
): Promise<Contents> {
  const { code, commits } = location
  const header = entry.type === 'blob' ? await findBlob(code.git, entry.id) : undefined
  const seen = view(location, path, entry, header?.size ?? 0, commits.get(entry.name) ?? null)
  const urls = await submoduleUrls(location, [entry])
  if (!header) return { ...seen, submodule_git_url: urls(path, entry) }
  if (seen.type === 'symlink') return { ...seen, target: await readTarget(code.git, header) }
  if (header.size > maxBytes) return seen
  const content = await readBlob(code.git, header)
  const pointer = readLfsPointer(content)
  return {
    ...seen,
    encoding: 'base64',
    content: content.toString('base64'),
    ...(pointer && { lfs_oid: pointer.oid, lfs_size: pointer.size }),
  }
}

function view(
  { links, revision, ref }: Location,
  path: string,
  entry: TreeEntry,
  size: number,
  lastCommit: string | null,
): Contents {
  const type = typeOf(entry)
  const shown = shownName(path)
  const url = `${links.api(`contents/${shown.split('/').map(encodeURIComponent).join('/')}`)}?ref=${encodeURIComponent(ref)}`
  const html = links.page(revision, shown)
  const git = links.api(`git/${entry.type === 'tree' ? 'trees' : 'blobs'}/${entry.id}`)
  const hasBytes = type === 'file' || type === 'symlink'
  return {
    name: shownName(entry.name),
    path: shown,
    sha: entry.id,
    type,
    size: type === 'dir' || type === 'submodule' ? 0 : size,
    encoding: null,
    content: null,
    target: null,
    submodule_git_url: null,
    url,
    html_url: type === 'submodule' ? null : html,
    git_url: type === 'submodule' ? null : git,
    download_url: hasBytes ? links.raw(revision, shown) : null,
    _links: { self: url, git: type === 'submodule' ? null : git, html: type === 'submodule' ? null : html },
    last_commit_sha: lastCommit,
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

async function sizesOf(git: string, entries: readonly TreeEntry[]): Promise<number[]> {
  const ids = entries.flatMap(({ type, id }) => (type === 'blob' ? [id] : []))
  const headers = await findObjects(git, ids)
  const sizes = new Map(headers.flatMap((header, index) => (header ? [[ids[index], header.size]] : [])))
  return entries.map(({ id }) => sizes.get(id) ?? 0)
}

async function readTarget(git: string, header: Header): Promise<string | null> {
  if (header.size > maxTargetBytes) return null
  return shownName((await readBlob(git, header)).toString('utf8'))
}

async function submoduleUrls(
  { code, revision }: Location,
  entries: readonly TreeEntry[],
): Promise<(path: string, entry: TreeEntry) => string | null> {
  if (!entries.some(({ type }) => type === 'commit')) return () => null
  const urls = await readSubmoduleUrls(code.git, revision.commit)
  return (path, { type }) => (type === 'commit' ? (urls.get(path) ?? null) : null)
}
