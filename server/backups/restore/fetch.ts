import { createHash } from 'node:crypto'
import type { StoredFile } from '../index-file'
import { type BackupLocation, readPiece } from '../location/location'

export interface Fetching {
  /** Receives the content of a file, which it must read to the end. */
  write(file: StoredFile, content: AsyncIterable<Uint8Array>): Promise<unknown>
  /** Called instead of failing for each file that is missing or damaged. */
  fault?(file: StoredFile, reason: string): void
  onBytes(bytes: number): void
}

/** The content of a file differs from what was backed up. */
class Damaged extends Error {}

/**
 * Reads files from a location, each piece once, and checks their digests. The check of a file ends after its last
 * byte is passed on, with an error.
 * @throws {Error} for the first file that is missing or damaged, unless there is a `fault` function
 */
export async function fetchFiles(
  location: BackupLocation,
  files: readonly StoredFile[],
  fetching: Fetching,
): Promise<void> {
  const pieces = new Map<string, StoredFile[]>()
  for (const file of files) {
    const others = pieces.get(file[3])
    if (others) others.push(file)
    else pieces.set(file[3], [file])
  }
  for (const [piece, group] of pieces) {
    await fetchGroup(
      location,
      piece,
      group.sort((a, b) => a[4] - b[4]),
      fetching,
    )
  }
}

async function fetchGroup(
  location: BackupLocation,
  piece: string,
  files: readonly StoredFile[],
  { write, fault, onBytes }: Fetching,
): Promise<void> {
  const reader = new ByteReader(readPiece(location, piece), onBytes)
  let done = 0
  try {
    for (const file of files) {
      const [, size, sha256, , offset] = file
      try {
        await reader.skip(offset)
        await write(file, verified(reader.take(size), sha256))
      } catch (error) {
        if (!fault || !(error instanceof Damaged)) throw error
        fault(file, error.message)
      }
      done++
    }
  } catch (error) {
    if (!fault) throw error
    for (const file of files.slice(done)) fault(file, (error as Error).message)
  } finally {
    await reader.close()
  }
}

/** Passes content on, and fails at its end if its SHA-256 differs. */
export async function* verified(
  content: AsyncIterable<Uint8Array>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new Damaged('the digest does not match')
}

/** Reads consecutive ranges of a stream. */
class ByteReader {
  private readonly source: AsyncIterator<Uint8Array>
  private held: Uint8Array = Buffer.alloc(0)
  private position = 0

  constructor(
    source: AsyncGenerator<Uint8Array>,
    private readonly onBytes: (bytes: number) => void,
  ) {
    this.source = source[Symbol.asyncIterator]()
  }

  async skip(to: number): Promise<void> {
    for await (const _ of this.take(to - this.position)) {
      // What lies between two files is not needed.
    }
  }

  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.held.byteLength === 0) {
        const { value, done } = await this.source.next()
        if (done) throw new Error('it is truncated')
        this.held = value
        this.onBytes(value.byteLength)
        continue
      }
      const part = this.held.subarray(0, left)
      this.held = this.held.subarray(part.byteLength)
      this.position += part.byteLength
      left -= part.byteLength
      yield part
    }
  }

  async close(): Promise<void> {
    await this.source.return?.()
  }
}
