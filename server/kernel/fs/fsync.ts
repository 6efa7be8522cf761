import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
export async function writeFileSynced(path: string, content: string): Promise<void> {
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
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncPath(dirname(made))
}
