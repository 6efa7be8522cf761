import { textFromGit } from '@/server/kernel/git/ref-text'
import { readGit } from '@/server/kernel/git/run'
import type { TreeEntry } from '@/server/kernel/git/tree'

/** An entry of a tree or of a directory below it; `name` is its path. */
export interface ListedEntry extends TreeEntry {
  /** Size in bytes; 0 for directories and submodules. */
  size: number
}

const timeoutMs = 10_000
const nul = 0
// Longer paths cannot be checked out, so they are not listed.
const maxLine = 8 * 1024

const line = /^(\d{6}) (blob|tree|commit) ([0-9a-f]{40,64}) +(\d{1,15}|-)\t/

/**
 * Calls `take` with each entry of a tree and of all directories below it, in Git's order: a directory comes
 * before its entries. `withTrees` includes the directories themselves.
 * @throws {GitError} if Git fails, and GitTimeout after ten seconds; errors of `take` are rethrown
 */
export async function eachListed(
  repository: string,
  treeish: string,
  { withTrees, signal }: { withTrees: boolean; signal?: AbortSignal | undefined },
  take: (entry: ListedEntry) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', ...(withTrees ? ['-t'] : []), treeish]
  await readGit(args, { repository, timeoutMs, signal }, chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    for (let end = bytes.indexOf(nul); end >= 0; end = bytes.indexOf(nul, at)) {
      const entry = end - at > maxLine ? undefined : parseLine(bytes.subarray(at, end))
      if (entry) take(entry)
      at = end + 1
    }
    rest = bytes.subarray(at)
    // Its end is missing, so it is not mistaken for another line.
    if (rest.length > 2 * maxLine) rest = rest.subarray(0, 2 * maxLine)
  })
}

function parseLine(bytes: Buffer): ListedEntry | undefined {
  const tab = bytes.indexOf(9)
  const [, mode, type, id, size] = line.exec(bytes.toString('latin1', 0, tab + 1)) ?? []
  if (mode === undefined || id === undefined) return undefined
  return {
    mode,
    type: type as ListedEntry['type'],
    id,
    size: Number(size) || 0,
    name: textFromGit(bytes.subarray(tab + 1)),
  }
}
