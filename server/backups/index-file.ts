import { readLines } from '@/db/backup/read-lines'

/**
 * A file in a backup: its path in the repository or the key of the object, size in bytes, SHA-256 in
 * hexadecimal, and where its content is: the piece, the offset in its plain content, and the piece's stored
 * size.
 */
export type StoredFile = [
  path: string,
  size: number,
  sha256: string,
  piece: string,
  offset: number,
  pieceSize: number,
]

/** A repository, whose files follow. `isMissing` if the site itself lacked it. */
export interface IndexedRepository {
  id: number
  key: string
  isMissing?: boolean
}

/**
 * A ref that moved after the snapshot of the database was taken, and the object that it pointed to before. All
 * zeros mean that the ref did not exist.
 */
export interface Move {
  repositoryId: number
  ref: string
  before: string
}

/**
 * A line of the index, which lists the content of a backup: the database, the repositories in the order of
 * their keys with their files, the objects in the order of their keys, and the moves.
 */
export type IndexLine =
  | { database: StoredFile }
  | { repository: IndexedRepository }
  | { objects: true }
  | { move: Move }
  | { end: true }
  | StoredFile

/** A part of the index as it is read: a repository with its files, or one of the other lines. */
export type IndexPart =
  | { database: StoredFile }
  | { repository: IndexedRepository; files: StoredFile[] }
  | { object: StoredFile }
  | { move: Move }

/**
 * Reads an index.
 * @throws {Error} if it ends early, unless `isPartial` is set: the index of an interrupted backup ends anywhere
 */
export async function* readIndex(
  source: AsyncIterable<string | Buffer>,
  { isPartial = false } = {},
): AsyncGenerator<IndexPart> {
  let repository: Extract<IndexPart, { repository: unknown }> | undefined
  let isAtObjects = false
  for await (const line of linesOf(source, isPartial)) {
    if (Array.isArray(line)) {
      if (isAtObjects) yield { object: line }
      else repository?.files.push(line)
      continue
    }
    if (repository) yield repository
    repository = undefined
    if ('repository' in line) repository = { repository: line.repository, files: [] }
    else if ('objects' in line) isAtObjects = true
    else if ('end' in line) return
    else yield line
  }
  // The files of the last repository may be missing.
  if (!isPartial) throw new Error('the list of the content is truncated')
}

async function* linesOf(
  source: AsyncIterable<string | Buffer>,
  isPartial: boolean,
): AsyncGenerator<IndexLine> {
  try {
    for await (const line of readLines(source)) yield JSON.parse(line)
  } catch (error) {
    if (!isPartial) throw error
  }
}
