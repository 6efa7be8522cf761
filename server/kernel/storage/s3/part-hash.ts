import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { PartHash } from '../types'

const [smallBytes, mostSmall] = [64 * 1024, 64]

/**
 * Starts a SHA-256 hash of an object's uploaded parts, each of which is stored as an object in an S3 bucket.
 */
export function hashPartObjects(open: (part: number) => Promise<Readable>): PartHash {
  return from(createHash('sha256'))

  function from(hash: Hash): PartHash {
    return {
      async add(parts) {
        // A small part that is used repeatedly is fetched once.
        const small = new Map<number, Buffer[]>()
        for (const part of parts) {
          const kept = small.get(part)
          const chunks: Buffer[] = []
          let size = 0
          for await (const chunk of kept ?? (await open(part))) {
            hash.update(chunk)
            size += chunk.length
            if (size <= smallBytes) chunks.push(chunk)
          }
          if (size <= smallBytes && small.size < mostSmall) small.set(part, chunks)
        }
      },
      copy: () => from(hash.copy()),
      digest: async () => hash.digest(),
      release: () => undefined,
    }
  }
}
