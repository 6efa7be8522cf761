import { Readable } from 'node:stream'
import type { OwnLocations } from '@/server/kernel/own-locations'
import type { ObjectStorage } from '@/server/kernel/storage/types'

/**
 * Wraps an object storage so that it stores and deletes nothing unless it is known to belong to this site.
 * Without that knowledge, an object that is not found causes an "unavailable" error instead of "not found".
 */
export function guardedStorage(
  storage: ObjectStorage,
  { requireObjects }: Pick<OwnLocations, 'requireObjects'>,
): ObjectStorage {
  const guarded =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await requireObjects()
      return await call(...args)
    }
  /**
   * Closes the source if the request is refused, because callers rely on it being closed even if it is not
   * read.
   */
  const closing = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    await requireObjects().catch(async (error: unknown) => {
      if (source instanceof Readable) source.destroy()
      else await source[Symbol.asyncIterator]().return?.()
      throw error
    })
  }
  return {
    ...storage,
    async get(key, range) {
      return await storage.get(key, range).catch(async (error: unknown) => {
        await requireObjects()
        throw error
      })
    },
    async size(key) {
      const size = await storage.size(key)
      if (size === undefined) await requireObjects()
      return size
    },
    async put(key, source, options) {
      await closing(source)
      return await storage.put(key, source, options)
    },
    async putPart(key, part, source, options) {
      await closing(source)
      return await storage.putPart(key, part, source, options)
    },
    compose: guarded(storage.compose),
    delete: guarded(storage.delete),
    signedUploadUrl: guarded(storage.signedUploadUrl),
    ...(storage.copy && { copy: guarded(storage.copy) }),
  }
}
