import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { type GitObject, readObjects } from '@/server/kernel/git/objects'
import { nameShownAs } from '@/server/kernel/git/ref-text'
import { parseTree, type TreeEntry } from '@/server/kernel/git/tree'
import { singleton } from '@/server/kernel/singleton'

// About 50,000 entries with names of ordinary length. The rest of a larger tree is not listed.
const maxTreeBytes = 4 * 1024 * 1024

/** The entries of a directory in the order of Git, and the ID of its tree. */
export interface Directory {
  id: string
  entries: TreeEntry[]
  /** Whether these are all entries. */
  isWhole: boolean
}

// What a path of a commit contains never changes.
const kept = (): BoundedCache<Directory> =>
  singleton('git-directories', () => createBoundedCache({ maxSize: 16 * 1024 * 1024, maxAgeMs: 10 * 60_000 }))
// An entry with a name of ordinary length, approximately.
const bytesPerEntry = 250

/**
 * Reads a directory of a commit or tree, which is named by its ID; undefined if there is no directory at this
 * path. `path` is clean, and empty for the root. Symbolic links are not followed.
 */
export async function readDirectory(
  repository: string,
  id: string,
  path: string,
): Promise<Directory | undefined> {
  const name = `${id}${path ? `:${path}` : '^{tree}'}`
  const key = `${repository} ${name}`
  const known = kept().get(key)
  if (known) return known
  const shownAs = nameShownAs(path)
  const tree =
    (await readTree(repository, name)) ??
    (shownAs === undefined ? undefined : await readTree(repository, `${id}:${shownAs}`))
  if (!tree) return undefined
  const folder = { id: tree.sha, ...parseTree(tree) }
  kept().set(key, folder, bytesPerEntry * (folder.entries.length + 1) + 2 * tree.text.length)
  return folder
}

async function readTree(repository: string, name: string): Promise<GitObject | undefined> {
  const [object] = await readObjects(repository, [name], maxTreeBytes)
  return object?.type === 'tree' ? object : undefined
}

/** Finds the entry at a path of a commit, which is not empty; undefined if there is none. */
export async function findEntry(
  repository: string,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const end = path.lastIndexOf('/')
  const folder = await readDirectory(repository, commit, path.slice(0, Math.max(end, 0)))
  const name = path.slice(end + 1)
  return (
    folder?.entries.find(entry => entry.name === name) ??
    folder?.entries.find(entry => entry.name === nameShownAs(name))
  )
}
