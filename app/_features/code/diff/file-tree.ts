import type { DiffStatus } from '@/server/code/diff/schema'

/** A changed file in the list of a diff. */
export interface ListedFile {
  /** Path for display. */
  path: string
  /** `id` of the file's section. */
  anchor: string
  status: DiffStatus
  additions: number
  deletions: number
}

/** Folder with changed files. Folders that contain nothing but one folder are named with it, as in `src/lib`. */
export interface FileFolder {
  name: string
  /** Number of files, also in the folders below. */
  count: number
  entries: (FileFolder | FileLeaf)[]
}

/** A changed file in its folder. */
export interface FileLeaf {
  name: string
  file: ListedFile
}

// Deeper folders are part of the names of files, because somebody can push thousands of levels.
const maxDepth = 20

/** Arranges files by their folders, in the order in which they are given. */
export function fileTree(files: readonly ListedFile[]): FileFolder['entries'] {
  const root: FileFolder = { name: '', count: 0, entries: [] }
  const folders = new Map<string, FileFolder>()
  for (const file of files) {
    const names = file.path.split('/')
    const depth = Math.min(names.length - 1, maxDepth)
    let folder = root
    for (let level = 0; level < depth; level++) {
      const path = names.slice(0, level + 1).join('/')
      let next = folders.get(path)
      if (!next) {
        next = { name: names[level] as string, count: 0, entries: [] }
        folders.set(path, next)
        folder.entries.push(next)
      }
      next.count++
      folder = next
    }
    folder.entries.push({ name: names.slice(depth).join('/'), file })
  }
  return root.entries.map(joined)
}

function joined(entry: FileFolder | FileLeaf): FileFolder | FileLeaf {
  if (!('entries' in entry)) return entry
  const entries = entry.entries.map(joined)
  const [only] = entries
  if (entries.length === 1 && only && 'entries' in only)
    return { ...only, name: `${entry.name}/${only.name}` }
  return { ...entry, entries }
}
