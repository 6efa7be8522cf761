import { open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createLimiter } from '../../concurrency-limit'
import { notFound } from '../../errors'
import { undefinedIfAbsent } from '../../fs/absent'
import { syncPath } from '../../fs/fsync'
import type { Logger } from '../../log'
import { checkedKey } from '../key'
import { hashWhile } from '../meter'
import type { ObjectStorage, PutPartOptions } from '../types'
import { createBackgroundSync } from './background-sync'
import { checkDisk } from './check'
import { composeDirectory, partPath, readComposed, readManifest } from './composed'
import { askingDisk } from './errors'
import { listFiles } from './list'
import { hashPartFiles } from './part-hash'
import { partialOf, writeFileWhole } from './write-file'

const mib = 1024 * 1024

/**
 * Creates an object storage that keeps objects as files, in 256 subdirectories named after the first two
 * digits of the keys. An object composed of uploaded parts is a directory of files named after the part
 * numbers, with a manifest of their order. Nothing is created before the first write.
 */
export function createDiskStorage(directory: string, log: Logger): ObjectStorage {
  const asking = askingDisk(log)
  const syncing = createLimiter({ concurrency: 2, maxQueue: Infinity })
  const background = createBackgroundSync(syncing)
  const objectPath = (key: string): string => join(directory, checkedKey(key).slice(0, 2), key)
  const partsPath = (key: string): string => join(directory, 'parts', checkedKey(key))

  const write = (path: string, source: AsyncIterable<Uint8Array>, options: PutPartOptions = {}) =>
    writeFileWhole(path, source, options, { asking, syncing, background })

  async function size(key: string): Promise<number | undefined> {
    const path = objectPath(key)
    const facts = await asking(stat(path).catch(undefinedIfAbsent))
    if (!facts) return undefined
    if (facts.isFile()) return facts.size
    return (await asking(readManifest(path))).reduce((sum, [, size]) => sum + size, 0)
  }

  return {
    prepare: () => checkDisk(directory),

    async put(key, source, options) {
      const path = objectPath(key)
      return await hashWhile(source, hashed => write(path, hashed, options))
    },

    putPart: (key, part, source, options) => write(partPath(partsPath(key), part), source, options),

    hashParts: key => hashPartFiles(part => partPath(partsPath(key), part), asking),

    async compose(key, parts) {
      await asking(composeDirectory(partsPath(key), objectPath(key), parts, background))
      background.forget(partsPath(key))
    },

    async get(key, range) {
      const path = objectPath(key)
      const file = await asking(open(path, 'r').catch(undefinedIfAbsent))
      if (!file) throw notFound()
      if ((await file.stat()).isFile()) return file.createReadStream({ ...range, highWaterMark: mib })
      await file.close()
      const manifest = await asking(readManifest(path))
      return Readable.from(readComposed(path, manifest, range), { objectMode: false, highWaterMark: mib })
    },

    size,

    list: () => listFiles(directory, size),

    async delete(key) {
      // Unfinished files are deleted first, so that no one can complete them afterward.
      const path = objectPath(key)
      background.forget(partsPath(key))
      for (const each of [partialOf(path), partsPath(key), path]) {
        await asking(rm(each, { recursive: true, force: true }))
      }
      await asking(syncPath(dirname(path)).catch(undefinedIfAbsent))
    },

    signedUrl: async () => undefined,
    signedUploadUrl: async () => undefined,
  }
}
