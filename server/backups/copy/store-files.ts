import { createHash } from 'node:crypto'
import type { StoredFile } from '../index-file'
import { type BackupLocation, putPiece } from '../location/location'

/** A file to copy. */
export interface NewFile {
  path: string
  /** Expected size in bytes. */
  size: number
  /** Opens the file; undefined if it does not exist. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>
}

const mib = 1024 * 1024
// Files from this size on have a piece of their own; smaller ones share pieces, because each piece costs a
// request or several flushes of the disk.
const minOwnBytes = mib
const maxSharedBytes = 16 * mib

export interface StoredFiles {
  stored: StoredFile[]
  /** Paths of the files that do not exist. */
  missing: string[]
}

/** Copies files into new pieces. */
export async function storeFiles(
  location: BackupLocation,
  files: readonly NewFile[],
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<StoredFiles> {
  const all: StoredFiles = { stored: [], missing: [] }
  for (const group of groupsOf(files)) {
    const { stored, missing } = await storeGroup(location, group, onBytes, signal)
    all.stored.push(...stored)
    all.missing.push(...missing)
  }
  return all
}

function* groupsOf(files: readonly NewFile[]): Generator<NewFile[]> {
  let shared: NewFile[] = []
  let bytes = 0
  for (const file of files) {
    if (file.size >= minOwnBytes) {
      yield [file]
      continue
    }
    if (bytes + file.size > maxSharedBytes) {
      yield shared
      shared = []
      bytes = 0
    }
    shared.push(file)
    bytes += file.size
  }
  if (shared.length > 0) yield shared
}

async function storeGroup(
  location: BackupLocation,
  group: readonly NewFile[],
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<StoredFiles> {
  const read: [path: string, size: number, sha256: string, offset: number][] = []
  const missing: string[] = []
  let offset = 0

  async function* contents(): AsyncGenerator<Uint8Array> {
    for (const { path, open } of group) {
      const source = await open()
      if (!source) {
        missing.push(path)
        continue
      }
      const hash = createHash('sha256')
      const start = offset
      for await (const chunk of source) {
        hash.update(chunk)
        offset += chunk.byteLength
        onBytes(chunk.byteLength)
        yield chunk
      }
      read.push([path, offset - start, hash.digest('hex'), start])
    }
  }

  const { piece, pieceSize } = await putPiece(location, contents(), signal)
  if (read.length === 0) await location.data.delete(piece)
  const stored = read.map(
    ([path, size, sha256, start]): StoredFile => [path, size, sha256, piece, start, pieceSize],
  )
  return { stored, missing }
}
