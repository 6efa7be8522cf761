import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedCache, createBoundedCache } from '../bounded-cache'
import { singleton } from '../singleton'
import { isObjectId, isZeroId } from './ref-names'
import { linesFromGit } from './ref-text'

/** The refs of the file `packed-refs`, as of a state of the file. */
interface Packed {
  stamp: string
  ids: ReadonlyMap<string, string>
}

// About 15,000 refs.
const maxPackedBytes = 1024 * 1024
const maxKeptBytes = 8 * maxPackedBytes

const kept = (): BoundedCache<Packed> =>
  singleton('packed-refs', () => createBoundedCache({ maxSize: maxKeptBytes, maxAgeMs: 10 * 60_000 }))

/**
 * Reads refs from the files in which Git stores them, which takes less time than asking a Git process. Returns for each
 * its object ID, null if it does not exist, or undefined if Git must be asked: for symbolic refs, for repositories that
 * store their refs otherwise, and for thousands of packed refs. The names are full and plain, such as `refs/heads/main`.
 * Source: gitrepository-layout(5).
 */
export async function readStoredRefs(
  repository: string,
  refs: readonly string[],
): Promise<(string | null | undefined)[]> {
  const loose = await Promise.all(refs.map(ref => readLoose(repository, ref)))
  if (!loose.includes(null)) return loose
  // Read after the files: Git deletes a file only once the ref is packed.
  const packed = await readPacked(repository)
  return loose.map((found, index) =>
    found === null ? packed && (packed.get(refs[index] as string) ?? null) : found,
  )
}

// Files that Git writes beside refs, or that no ref can have.
const isOther = /\.lock(?:\/|$)|\/[./]|\/$/

async function readLoose(repository: string, ref: string): Promise<string | null | undefined> {
  if (isOther.test(ref) || !ref.isWellFormed()) return undefined
  try {
    const text = await readFile(join(repository, ref), 'latin1')
    const id = text.trimEnd()
    return isObjectId(id) && !isZeroId(id) ? id : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A directory contains refs whose names begin with this one.
    return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' ? null : undefined
  }
}

async function readPacked(repository: string): Promise<ReadonlyMap<string, string> | undefined> {
  const path = join(repository, 'packed-refs')
  // Absent if the repository was deleted, and a file if it stores its refs otherwise.
  const folder = await stat(join(repository, 'refs', 'heads')).catch(() => undefined)
  if (!folder?.isDirectory()) return undefined
  try {
    const { dev, ino, size, ctimeNs } = await stat(path, { bigint: true })
    const stamp = `${dev} ${ino} ${size} ${ctimeNs}`
    const known = kept().get(path)
    if (known?.stamp === stamp) return known.ids
    if (size > maxPackedBytes) return undefined
    const ids = parsePacked(await readFile(path))
    // Git replaces the file, so one that was read has another stamp unless it is the one above.
    kept().set(path, { stamp, ids }, 4 * Number(size) + 1000)
    return ids
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Map() : undefined
  }
}

function parsePacked(bytes: Buffer): Map<string, string> {
  const ids = new Map<string, string>()
  for (const line of linesFromGit(bytes)) {
    const [, id, ref] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? []
    if (id && ref) ids.set(ref, id)
  }
  return ids
}
