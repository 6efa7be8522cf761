import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid, tooManyRequests } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import { isObjectId } from '@/server/kernel/git/ref-names'
import { shownName } from '@/server/kernel/git/ref-text'
import { findCommitish } from '@/server/kernel/git/revision'
import { GitTimeout } from '@/server/kernel/git/run'
import type { TreeEntry } from '@/server/kernel/git/tree'
import type { RepoPath } from '@/server/repos/schema'
import { type ReadableCode, withCode } from '../context'
import { type CodeLinks, linksOf } from '../links'
import type { GitTree } from '../schema'
import { readDirectory } from './entries'
import { eachListed, type ListedEntry } from './list-tree'

interface TreeInput extends RepoPath {
  /** ID of a tree or commit, or the name of a branch or tag. */
  sha: string
  recursive?: boolean | undefined
  page: number
  per_page: number
}

/**
 * Lists a page of the entries of a tree, or, if recursive, of all directories below it.
 * @throws {DomainError} invalid for an unknown tree and for an empty repository; moved after a rename; forbidden
 * without read access to the code; tooManyRequests if the tree is too large to be listed in ten seconds.
 */
export async function getTree(ctx: ServiceCtx, input: TreeInput): Promise<GitTree> {
  const unknown = () => invalid(`there is no tree, commit, branch, or tag "${input.sha}"`)
  const list = async (code: ReadableCode): Promise<GitTree> => {
    const id = await findTreeish(code, input.sha)
    if (!id) throw unknown()
    const { page, per_page, recursive = false } = input
    const [from, to] = [(page - 1) * per_page, page * per_page]
    const { entries, total } = recursive
      ? await listAll(code, id, { from, to }, ctx.disconnected?.())
      : await listOne(code, id, { from, to })
    const links = linksOf(ctx, code)
    return {
      sha: id,
      url: links.api(`git/trees/${id}`),
      tree: entries.map(entry => view(links, entry)),
      truncated: total > to,
      page,
      total_count: total,
    }
  }
  return await withCode(ctx, input, list, unknown)
}

async function findTreeish({ git }: ReadableCode, name: string): Promise<string | undefined> {
  if (isObjectId(name)) {
    const [object] = await findObjects(git, [name])
    if (object?.type === 'tree' || object?.type === 'commit') return object.sha
  }
  return (await findCommitish(git, name))?.commit
}

interface Part {
  from: number
  to: number
}

async function listOne(
  { git }: ReadableCode,
  id: string,
  { from, to }: Part,
): Promise<{ entries: ListedEntry[]; total: number }> {
  const all = (await readDirectory(git, id, ''))?.entries ?? []
  const shown = all.slice(from, to)
  const blobs = shown.filter(({ type }) => type === 'blob').map(entry => entry.id)
  const headers = await findObjects(git, blobs)
  const sizes = new Map(headers.map((header, index) => [blobs[index], header?.size ?? 0]))
  const sized = (entry: TreeEntry): ListedEntry => ({ ...entry, size: sizes.get(entry.id) ?? 0 })
  return { entries: shown.map(sized), total: all.length }
}

async function listAll(
  { git }: ReadableCode,
  id: string,
  { from, to }: Part,
  signal: AbortSignal | undefined,
): Promise<{ entries: ListedEntry[]; total: number }> {
  const entries: ListedEntry[] = []
  let total = 0
  try {
    await eachListed(git, id, { withTrees: true, signal }, entry => {
      if (total >= from && total < to) entries.push(entry)
      total++
    })
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error
    throw tooManyRequests('the tree is too large to be listed; list one directory at a time', 60)
  }
  return { entries, total }
}

function view(links: CodeLinks, { name, mode, type, id, size }: ListedEntry): GitTree['tree'][number] {
  const url = type === 'commit' ? '' : links.api(`git/${type}s/${id}`)
  return { path: shownName(name), mode, type, size, sha: id, url }
}
