import { unprocessable } from '@/server/kernel/errors'
import { bytesForGit, nameShownAs } from '@/server/kernel/git/ref-text'
import type { TreeEntry } from '@/server/kernel/git/tree'
import { bytesOf, type NewObject, newObject, type ObjectFormat } from '@/server/kernel/git/write-objects'
import { createPauses } from '@/server/kernel/pauses'
import { readDirectory } from '../tree/entries'

/** A tree in memory, of which only the directories that are looked at or changed are read. */
export interface TreeEdit {
  /** Finds an entry; undefined if there is none. */
  find(path: string): Promise<Entry | undefined>
  /**
   * Adds or replaces a file, and adds the directories above it.
   * @throws {DomainError} unprocessable if one of these is not a directory
   */
  put(path: string, file: Pick<TreeEntry, 'mode' | 'id'>): Promise<void>
  /** Removes a file that exists, and the directories that are then empty. */
  remove(path: string): Promise<void>
  /** Returns the ID of the root, and all trees that have changed. */
  finish(format: ObjectFormat): Promise<{ root: string; trees: NewObject[] }>
}

export type Entry = Pick<TreeEntry, 'mode' | 'type' | 'id'>

interface Folder {
  entries: Map<string, Child>
  /** ID in the repository; undefined if it has changed. */
  id: string | undefined
}

interface Child extends Entry {
  /** What a directory contains, once it has been read. */
  folder?: Folder
}

/** Opens the tree of a commit, or an empty one. */
export async function openTree(repository: string, commit: string | undefined): Promise<TreeEdit> {
  const opened = createLimit()
  const root = opened(commit === undefined ? emptyFolder() : await readFolder(repository, commit))

  // The directories from the root down to the one that contains the path, as far as they exist.
  async function descend(path: string): Promise<{ folders: Folder[]; names: string[]; blockedBy?: string }> {
    const parts = path.split('/')
    const folders = [root]
    const names: string[] = []
    for (const [index, part] of parts.slice(0, -1).entries()) {
      const above = folders.at(-1) as Folder
      const name = nameIn(above, part)
      const child = above.entries.get(name)
      if (!child) return { folders, names }
      if (child.type !== 'tree') return { folders, names, blockedBy: parts.slice(0, index + 1).join('/') }
      const folder = child.folder ?? opened(await readFolder(repository, child.id))
      // Not the entry itself, which other requests read.
      above.entries.set(name, { ...child, folder })
      folders.push(folder)
      names.push(name)
    }
    return { folders, names }
  }

  async function find(path: string): Promise<Child | undefined> {
    const { folders } = await descend(path)
    const parts = path.split('/')
    if (folders.length < parts.length) return undefined
    const folder = folders.at(-1) as Folder
    return folder.entries.get(nameIn(folder, parts.at(-1) as string))
  }

  return {
    find,
    put: async (path, { mode, id }) => {
      const { folders, blockedBy } = await descend(path)
      if (blockedBy !== undefined) {
        throw unprocessable(`"${blockedBy}" is not a directory, so it cannot contain "${path}"`, {
          field: 'path',
        })
      }
      const parts = path.split('/')
      for (const part of parts.slice(folders.length - 1, -1)) {
        const folder = opened(emptyFolder())
        folders.at(-1)?.entries.set(part, { mode: '040000', type: 'tree', id: '', folder })
        folders.push(folder)
      }
      for (const folder of folders) folder.id = undefined
      const last = folders.at(-1) as Folder
      last.entries.set(nameIn(last, parts.at(-1) as string), { mode, type: 'blob', id })
    },
    remove: async path => {
      const { folders, names } = await descend(path)
      const last = folders.at(-1) as Folder
      last.entries.delete(nameIn(last, path.split('/').at(-1) as string))
      for (const folder of folders) folder.id = undefined
      for (let depth = folders.length - 1; depth > 0 && folders[depth]?.entries.size === 0; depth--) {
        folders[depth - 1]?.entries.delete(names[depth - 1] as string)
      }
    },
    finish: async format => {
      const trees: NewObject[] = []
      return { root: await write(root, { format, trees, giveWay: createPauses() }), trees }
    },
  }
}

// Few requests come close, and what they read and write is in memory.
const maxWeight = 250_000
// A directory is as much work as this many entries.
const folderWeight = 20

function createLimit(): (folder: Folder) => Folder {
  let weight = 0
  return folder => {
    weight += folderWeight + folder.entries.size
    if (weight <= maxWeight) return folder
    throw unprocessable('these changes concern too many directories, or too large ones; use git')
  }
}

const emptyFolder = (): Folder => ({ entries: new Map(), id: undefined })

async function readFolder(repository: string, id: string): Promise<Folder> {
  const found = await readDirectory(repository, id, '')
  if (!found?.isWhole) {
    throw unprocessable('a directory is damaged or too large to be changed here; use git', { field: 'path' })
  }
  return { id: found.id, entries: new Map(found.entries.map(entry => [entry.name, entry])) }
}

// Bytes in a name that are not UTF-8 are percent-encoded in paths.
function nameIn({ entries }: Folder, name: string): string {
  const shownAs = entries.has(name) ? undefined : nameShownAs(name)
  return shownAs !== undefined && entries.has(shownAs) ? shownAs : name
}

interface Writing {
  format: ObjectFormat
  trees: NewObject[]
  giveWay: () => Promise<void>
}

async function write(folder: Folder, writing: Writing): Promise<string> {
  if (folder.id !== undefined) return folder.id
  const { format, trees, giveWay } = writing
  await giveWay()
  const rows: { key: Buffer; bytes: Buffer }[] = []
  for (const [name, child] of folder.entries) {
    const id = child.folder ? await write(child.folder, writing) : child.id
    if (id.length !== idLengths[format])
      throw new Error(`${JSON.stringify(name)} would have no valid ID in its tree`)
    const named = bytesForGit(name)
    const mode = child.mode.replace(/^0/, '')
    rows.push({
      // Git sorts directories as if their names ended in a slash.
      key: child.type === 'tree' ? Buffer.concat([named, slash]) : named,
      bytes: Buffer.concat([Buffer.from(`${mode} `), named, nul, Buffer.from(id, 'hex')]),
    })
  }
  rows.sort((one, other) => Buffer.compare(one.key, other.key))
  const tree = await newObject(format, 'tree', bytesOf(Buffer.concat(rows.map(({ bytes }) => bytes))))
  trees.push(tree)
  return tree.id
}

// What follows a shorter ID in a tree would be read as a part of it.
const idLengths = { sha1: 40, sha256: 64 }
const slash = Buffer.from('/')
const nul = Buffer.of(0)
