import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Runs a build unless the directory it writes to holds one of the same sources. The stamp that tells is in that
 * directory, so that they are lost together, and is written last, so that a build that failed has none.
 */
export async function unlessBuilt(directory, sources, build) {
  const stamp = join(directory, 'stamp')
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return
  await rm(stamp, { force: true })
  await build()
  await writeFile(stamp, sources)
}
