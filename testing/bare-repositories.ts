import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the paths of the bare repositories of a site, by its data directory. */
export async function bareRepositories(dataDir: string): Promise<string[]> {
  const base = join(dataDir, 'repositories')
  const folders = (await readdir(base)).filter(name => /^[0-9a-f]{2}$/.test(name))
  const found = await Promise.all(
    folders.map(async folder => (await readdir(join(base, folder))).map(name => join(base, folder, name))),
  )
  return found.flat()
}
