import { createLimiter } from '@/server/kernel/concurrency-limit'
import { singleton } from '@/server/kernel/singleton'
import { maxMembers, readDirectory, type ZipDirectory } from './directory'
import type { ZipSource } from './source'

interface Cached {
  directory: Promise<ZipDirectory>
  /** Number of entries; 0 while the directory is being read. */
  weight: number
}

/**
 * Returns the directory of an archive from a cache by key, or reads it. Archives must be immutable. The cache
 * holds about as many entries as the largest archive can have.
 * @throws {DomainError} as `readDirectory`; tooManyRequests if too many archives are being read.
 */
export async function cachedDirectory(key: string, source: ZipSource): Promise<ZipDirectory> {
  const { cache, limit } = singleton('zipDirectories', () => ({
    // The least recently used entry is first.
    cache: new Map<string, Cached>(),
    limit: createLimiter({ concurrency: 2, maxQueue: 50 }),
  }))
  const cached = cache.get(key) ?? { directory: limit(() => readDirectory(source)), weight: 0 }
  cache.delete(key)
  cache.set(key, cached)
  try {
    const directory = await cached.directory
    cached.weight = directory.members.size + directory.folders.size + 1
    shrink(cache)
    return directory
  } catch (error) {
    if (cache.get(key) === cached) cache.delete(key)
    throw error
  }
}

function shrink(cache: Map<string, Cached>): void {
  let room = maxMembers
  for (const [key, { weight }] of [...cache].reverse()) {
    room -= weight
    if (room < 0) cache.delete(key)
  }
}
