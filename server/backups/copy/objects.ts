import { isDomainError } from '@/server/kernel/errors'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { NamedObject } from '../contents'
import { inOrder } from '../in-order'
import type { StoredFile } from '../index-file'
import type { Copying } from './copying'
import { type NewFile, storeFiles } from './store-files'

const concurrency = 1
const maxObjects = 500
const maxBytes = 64 * 1024 * 1024

/** An object with the location of its content in an earlier backup, if there is one. */
interface Known {
  object: NamedObject
  before: StoredFile | undefined
}

/** Copies objects, and writes them to the index. Objects never change, so each one is copied once. */
export async function copyObjects(
  copying: Copying,
  objects: AsyncIterable<NamedObject>,
  count: number,
): Promise<void> {
  const { index, progress } = copying
  progress.begin('objects', count)
  await index.write({ objects: true })
  const known = async function* (): AsyncGenerator<Known> {
    for await (const object of objects) {
      const before = await copying.earlier.object(object.key)
      // A damaged copy is made again each time, because the object may have been repaired.
      yield { object, before: before && isWhole(before, object) ? before : undefined }
    }
  }
  for await (const group of inOrder(inGroups(known()), concurrency, group => copyGroup(copying, group))) {
    for (const file of group) {
      await index.write(file)
      copying.objects++
    }
    await index.flush()
  }
}

async function copyGroup(copying: Copying, group: readonly Known[]): Promise<StoredFile[]> {
  const { location, storage, progress, signal } = copying
  signal.throwIfAborted()
  const wanted = group.filter(({ before }) => !before).map(({ object }) => fileOf(storage, object))
  const { stored, missing } = await storeFiles(location, wanted, progress.bytes, signal)
  const copied = new Map(stored.map(file => [file[0], file]))
  for (const key of missing) copying.fault(`the object ${key} is missing`)
  const files = group.flatMap(({ object, before }): StoredFile[] => {
    const file = before ?? copied.get(object.key)
    if (file && !before && !isWhole(file, object)) copying.fault(`the object ${object.key} is damaged`)
    return file ? [file] : []
  })
  for (const _ of group) progress.step()
  return files
}

const isWhole = ([, size, sha256]: StoredFile, object: NamedObject): boolean =>
  object.sha256 === null ? object.size === null || size === object.size : sha256 === object.sha256

function fileOf(storage: ObjectStorage, { key, size }: NamedObject): NewFile {
  return {
    path: key,
    size: size ?? 0,
    open: async () =>
      storage.get(key).catch(error => {
        if (isDomainError(error) && error.kind === 'notFound') return undefined
        throw error
      }),
  }
}

async function* inGroups(known: AsyncIterable<Known>): AsyncGenerator<Known[]> {
  let group: Known[] = []
  let bytes = 0
  for await (const one of known) {
    group.push(one)
    bytes += one.before ? 0 : (one.object.size ?? 0)
    if (group.length < maxObjects && bytes < maxBytes) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}
