import type { ZipDirectory, ZipMember } from './directory'

/** Line in the listing of a folder: a file, or a folder with the totals of all files below it. */
export type ZipLine =
  | { kind: 'folder'; name: string; path: string; files: number; size: number }
  | { kind: 'file'; name: string; path: string; member: ZipMember }

/**
 * Lists a folder of an archive, folders first, each group sorted by name; undefined if there is no such
 * folder. The empty string is the root.
 */
export function listFolder(directory: ZipDirectory, folder: string): ZipLine[] | undefined {
  const prefix = folder === '' ? '' : `${folder}/`
  const folders = new Map<string, { files: number; size: number }>()
  const files: ZipLine[] = []
  const folderOf = (path: string) => {
    const rest = path.slice(prefix.length)
    const slash = rest.indexOf('/')
    return slash < 0 ? undefined : rest.slice(0, slash)
  }
  for (const path of directory.folders) {
    if (!path.startsWith(prefix)) continue
    const name = folderOf(path) ?? path.slice(prefix.length)
    if (!folders.has(name)) folders.set(name, { files: 0, size: 0 })
  }
  for (const member of directory.members.values()) {
    if (!member.path.startsWith(prefix)) continue
    const name = folderOf(member.path)
    if (name === undefined) {
      files.push({ kind: 'file', name: member.path.slice(prefix.length), path: member.path, member })
      continue
    }
    const { files: count = 0, size = 0 } = folders.get(name) ?? {}
    folders.set(name, { files: count + 1, size: sum(size, member.size) })
  }
  const isKnown = folder === '' || directory.folders.has(folder) || folders.size + files.length > 0
  if (!isKnown) return undefined
  const inside = [...folders].map(
    ([name, facts]): ZipLine => ({ kind: 'folder', name, path: prefix + name, ...facts }),
  )
  return [...inside.sort(byName), ...files.sort(byName)]
}

/** Finds the files whose path contains a text, ignoring case, sorted by path. */
export function findMembers(directory: ZipDirectory, text: string): ZipLine[] {
  const wanted = text.toLowerCase()
  const found: ZipLine[] = []
  for (const member of directory.members.values()) {
    if (member.path.toLowerCase().includes(wanted))
      found.push({ kind: 'file', name: member.path, path: member.path, member })
  }
  return found.sort(byName)
}

/** Returns the total uncompressed size of all files, as claimed by the archive. */
export function unpackedSize({ members }: ZipDirectory): number {
  let total = 0
  for (const { size } of members.values()) total = sum(total, size)
  return total
}

// Archives can claim any size.
const sum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER)

const byName = (a: ZipLine, b: ZipLine): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
