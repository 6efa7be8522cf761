import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { undefinedIfAbsent } from './absent'

/** Writes a file, or the names in a directory, through to the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a small file through to the disk. */
export async function writeFileSynced(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a small directory with all that is in it through to the disk. */
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

/** Makes a directory and its parents, readable by their owner only; new ones are still there after a power failure. */
export async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return
  const parent = dirname(path)
  // Not by `recursive`, which never ends where none can be made, as in /proc.
  if (parent !== path) await makeDirectory(parent)
  await mkdir(path, { mode: 0o700 }).catch(async error => {
    // Another process may have been quicker.
    if (error.code !== 'EEXIST' || !(await isDirectory(path))) throw error
  })
  await syncPath(parent)
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(undefinedIfAbsent))?.isDirectory() === true
