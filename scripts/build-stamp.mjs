import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Runs a build unless the output directory already contains a successful build of the same sources. This is
 * recorded in a stamp file in that directory, so deleting the output also deletes the stamp. The stamp is
 * written last, so a failed build leaves none.
 */
export async function unlessBuilt(directory, sources, build) {
  const stamp = join(directory, 'stamp')
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return
  await rm(stamp, { force: true })
  await build()
  await writeFile(stamp, sources)
}
