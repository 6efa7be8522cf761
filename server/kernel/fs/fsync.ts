import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { undefinedIfAbsent } from './absent'

/** Flushes a file, or the entries of a directory, to disk with fsync. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a small file and flushes it to disk with fsync. */
export async function writeFileSynced(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes a small directory and everything in it to disk with fsync. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  await Promise.all(
    entries.map(entry => {
      const inside = join(path, entry.name)
      return entry.isDirectory() ? syncTree(inside) : syncPath(inside)
    }),
  )
  await syncPath(path)
}

/**
 * Creates a directory and any missing parents, accessible only to their owner, and flushes them to disk with
 * fsync.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return
  const parent = dirname(path)
  // Not with `recursive`, which never returns if no directory can be created, as in /proc.
  if (parent !== path) await makeDirectory(parent)
  await mkdir(path, { mode: 0o700 }).catch(async error => {
    // Another process may have created it first.
    if (error.code !== 'EEXIST' || !(await isDirectory(path))) throw error
  })
  await syncPath(parent)
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(undefinedIfAbsent))?.isDirectory() === true
