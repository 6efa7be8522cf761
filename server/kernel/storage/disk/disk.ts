import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createLimiter } from '../../concurrency-limit'
import { notFound } from '../../errors'
import { undefinedIfAbsent } from '../../fs/absent'
import { makeDirectory, syncPath } from '../../fs/fsync'
import type { Logger } from '../../log'
import { checkedKey } from '../key'
import type { ByteRange, ObjectStorage, PutPartOptions } from '../types'
import { askingDisk } from './errors'
import { partialOf, writeFileWhole } from './write-file'

const mib = 1024 * 1024

/**
 * Stores objects as files in 256 subdirectories named by the first two digits of their keys. An object that was
 * composed of parts is a directory of files `0`, `1`, … Nothing is created before the first write.
 */
export function createDiskStorage(directory: string, log: Logger): ObjectStorage {
  const asking = askingDisk(log)
  const syncing = createLimiter({ concurrency: 2, maxQueue: Infinity })
  const objectPath = (key: string): string => join(directory, checkedKey(key).slice(0, 2), key)
  const partsPath = (key: string): string => join(directory, 'parts', checkedKey(key))

  const write = (path: string, source: AsyncIterable<Uint8Array>, options: PutPartOptions = {}) =>
    writeFileWhole(path, source, options, { asking, syncing })

  return {
    put: (key, source, options) => write(objectPath(key), source, options),
    putPart: (key, part, source, options) => write(partPath(partsPath(key), part), source, options),

    async compose(key, parts) {
      const [from, to] = [partsPath(key), objectPath(key)]
      const names = await asking(readdir(from).catch(undefinedIfAbsent))
      if (!names && (await stat(to).catch(undefinedIfAbsent))) return
      const wanted = new Set(Array.from({ length: parts }, (_, part) => String(part)))
      const others = (names ?? []).filter(name => !wanted.delete(name))
      if (!names || wanted.size > 0) throw notFound('a part of the object is missing')
      for (const name of others) await asking(rm(join(from, name)))
      await asking(makeDirectory(dirname(to)))
      await asking(rename(from, to))
      await asking(syncPath(dirname(to)))
      await asking(syncPath(dirname(from)))
    },

    async get(key, range) {
      const path = objectPath(key)
      const file = await asking(open(path, 'r').catch(undefinedIfAbsent))
      if (!file) throw notFound()
      if ((await file.stat()).isFile()) return file.createReadStream({ ...range, highWaterMark: mib })
      await file.close()
      const sizes = await asking(sizesOfParts(path))
      return Readable.from(readParts(path, sizes, range), { objectMode: false, highWaterMark: mib })
    },

    async size(key) {
      const path = objectPath(key)
      const facts = await asking(stat(path).catch(undefinedIfAbsent))
      if (!facts) return undefined
      return facts.isFile() ? facts.size : sum(await asking(sizesOfParts(path)))
    },

    async delete(key) {
      // Delete unfinished files first, so that nobody can complete them afterward.
      const path = objectPath(key)
      for (const place of [partialOf(path), partsPath(key), path]) {
        await asking(rm(place, { recursive: true, force: true }))
      }
      await asking(syncPath(dirname(path)).catch(undefinedIfAbsent))
    },

    signedUrl: async () => undefined,
  }
}

const partPath = (folder: string, part: number): string => join(folder, String(part))
const sum = (numbers: number[]): number => numbers.reduce((all, each) => all + each, 0)

async function sizesOfParts(folder: string): Promise<number[]> {
  const count = (await readdir(folder)).length
  const parts = Array.from({ length: count }, (_, part) => stat(partPath(folder, part)))
  return (await Promise.all(parts)).map(({ size }) => size)
}

async function* readParts(
  folder: string,
  sizes: number[],
  { start, end }: ByteRange = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (const [part, size] of sizes.entries()) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, size - 1)]
    offset += size
    if (from > to) continue
    const file = await open(partPath(folder, part), 'r')
    yield* file.createReadStream({ start: from, end: to, highWaterMark: mib })
  }
}
