import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { findObjects, readObjects } from '@/server/kernel/git/objects'
import type { Header } from '@/server/kernel/git/readers/answers'
import { streamObject } from '@/server/kernel/git/stream-object'
import { singleton } from '@/server/kernel/singleton'

// What warm readers return. Larger files are streamed by a process of their own.
const maxRead = 1024 * 1024

// Small files are read most often, such as those that programs poll.
const maxKept = 64 * 1024
const kept = (): BoundedCache<Buffer> =>
  singleton('blobs', () => createBoundedCache({ maxSize: 8 * 1024 * 1024, maxAgeMs: 10 * 60_000 }))
const keyOf = (repository: string, id: string): string => `${repository} ${id}`

/** Finds the size of a blob; undefined if there is none with this ID. */
export async function findBlob(repository: string, id: string): Promise<Header | undefined> {
  const known = kept().get(keyOf(repository, id))
  if (known) return { sha: id, type: 'blob', size: known.length }
  const [header] = await findObjects(repository, [id])
  return header?.type === 'blob' ? header : undefined
}

/**
 * Reads the content of a file, up to a size that the caller has checked.
 * @throws {GitError} if Git cannot read it
 */
export async function readBlob(repository: string, header: Header): Promise<Buffer> {
  const known = kept().get(keyOf(repository, header.sha))
  if (known) return known
  if (header.size <= maxRead) {
    const [object] = await readObjects(repository, [header.sha], maxRead)
    if (object?.isWhole) {
      if (header.size <= maxKept) {
        // The text can be a part of a larger buffer.
        kept().set(keyOf(repository, header.sha), Buffer.from(object.text), header.size + 200)
      }
      return object.text
    }
  }
  const chunks: Buffer[] = []
  for await (const chunk of streamObject(repository, header)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
