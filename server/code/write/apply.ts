import { decodeBase64 } from '@/server/kernel/base64'
import { notFound, unprocessable } from '@/server/kernel/errors'
import {
  type Bytes,
  bytesOf,
  type NewObject,
  newObject,
  type ObjectFormat,
} from '@/server/kernel/git/write-objects'
import { isReserved } from '../path'
import { typeOf } from '../tree/entry-type'
import type { ChangeFile } from './schema'
import type { Entry, TreeEdit } from './tree-edit'

/** A change of a file whose new content, if there is any, is an object already. */
export interface Change extends Omit<ChangeFile, 'content'> {
  blob: NewObject | undefined
}

/**
 * Checks requested changes on their own, as far as that does not depend on the repository. `spilled` contains the long
 * texts of the request.
 * @throws {DomainError} unprocessable
 */
export async function prepareChanges(
  files: readonly ChangeFile[],
  format: ObjectFormat,
  spilled: ReadonlyMap<string, Bytes> | undefined,
): Promise<Change[]> {
  const contents = new Set(files.map(({ content }) => content))
  for (const name of spilled?.keys() ?? []) {
    if (!contents.has(name)) throw unprocessable('[]: only the content of a file can have more than 128 KiB')
  }
  const changes: Change[] = []
  for (const { content, ...file } of files) {
    const from_path = file.from_path && cleanPath(file.from_path, 'from_path')
    if (file.operation === 'rename' && !from_path) {
      throw unprocessable('send the present path of the file', { field: 'from_path' })
    }
    if (from_path && (file.operation === 'create' || file.operation === 'delete')) {
      throw unprocessable(`only a file that exists can be moved: ${file.operation} takes no from_path`, {
        field: 'from_path',
      })
    }
    const path = cleanPath(file.path, 'path')
    // A file that is uploaded to its own path need not exist, so it has no content to keep.
    const mayBeNew = file.operation === 'upload' && from_path === path
    const keepsContent = file.operation === 'delete' || (Boolean(from_path) && !mayBeNew)
    if (content === undefined && !keepsContent) {
      throw unprocessable('send the content of the file in Base64', { field: 'content' })
    }
    // Clients that cannot leave out a field send an empty content for a file that is only renamed.
    const isKept = file.operation === 'delete' || (file.operation === 'rename' && content === '')
    const hasContent = content !== undefined && !isKept
    const blob = hasContent ? await newObject(format, 'blob', bytesFrom(content, spilled)) : undefined
    changes.push({ ...file, path, from_path, blob })
  }
  return changes
}

function bytesFrom(content: string, spilled: ReadonlyMap<string, Bytes> | undefined): Bytes {
  const long = spilled?.get(content)
  if (long) return long
  const bytes = decodeBase64(content)
  if (!bytes)
    throw unprocessable('the content must be Base64, in its standard alphabet', { field: 'content' })
  return bytesOf(bytes)
}

// Longer names cannot be checked out.
const maxNameBytes = 255

function cleanPath(path: string, field: 'path' | 'from_path'): string {
  const names = path.replace(/^\/+|\/+$/g, '').split('/')
  const long = names.find(name => Buffer.byteLength(name) > maxNameBytes)
  if (long !== undefined) {
    const shown = `"${long.slice(0, 50).toWellFormed()}…"`
    throw unprocessable(`a name in a path can have at most ${maxNameBytes} bytes, unlike ${shown}`, { field })
  }
  const wrong = names.find(isReserved)
  if (wrong === undefined) return names.join('/')
  throw unprocessable(
    wrong === ''
      ? 'send a path without empty parts, such as docs/guide.md'
      : `"${wrong.slice(0, 50)}" cannot be a part of a path in a repository`,
    { field },
  )
}

/**
 * Applies a change to a tree.
 * @throws {DomainError} unprocessable if the tree does not have what the change expects; notFound if the file to change
 * does not exist
 */
export async function applyChange(tree: TreeEdit, change: Change): Promise<void> {
  const { operation, path, from_path, sha } = change
  const source = from_path || path
  const present = await tree.find(source)
  const target = source === path ? present : await tree.find(path)
  if (operation === 'create') {
    if (target) throw unprocessable(`there is a ${nameOf(target)} "${path}" already`, { field: 'path' })
    return await tree.put(path, { mode: plain, id: newContent(change) })
  }
  if (operation === 'upload' && !present && source === path)
    return await tree.put(path, { mode: plain, id: newContent(change) })
  if (!present) throw notFound(`there is no file "${source}"`, { field: from_path ? 'from_path' : 'path' })
  requireFile(source, present)
  if ((operation === 'update' || operation === 'delete') && !sha) {
    throw unprocessable(`send the blob ID of "${source}" as sha; it is ${present.id}`, { field: 'sha' })
  }
  if (sha && sha.toLowerCase() !== present.id) {
    throw unprocessable(`"${source}" has the blob ID ${present.id}, not ${sha}`, {
      field: 'sha',
      reason: { code: 'fileChanged', path: source },
    })
  }
  if (operation === 'delete') return await tree.remove(source)
  if (source !== path) {
    if (target) throw unprocessable(`there is a ${nameOf(target)} "${path}" already`, { field: 'path' })
    await tree.remove(source)
  }
  await tree.put(path, { mode: present.mode, id: change.blob?.id ?? present.id })
}

const plain = '100644'

function newContent({ blob, path }: Change): string {
  if (!blob) throw new Error(`the content of ${path} is missing`)
  return blob.id
}

const names = { file: 'file', dir: 'directory', symlink: 'symbolic link', submodule: 'submodule' }
const nameOf = (entry: Entry): string => names[typeOf(entry)]

function requireFile(path: string, entry: Entry): void {
  if (typeOf(entry) === 'file') return
  throw unprocessable(`"${path}" is a ${nameOf(entry)}, which cannot be changed here`, { field: 'path' })
}
