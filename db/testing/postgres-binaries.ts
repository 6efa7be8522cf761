import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const debianRoot = '/usr/lib/postgresql'

/** The directory with `initdb` and `postgres`: the newest packaged one, else the first on PATH. */
export async function findPostgresBinaries(): Promise<string | undefined> {
  const versions = await readdir(debianRoot).catch(() => [])
  const packaged = versions
    .filter(version => /^\d+$/.test(version))
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(debianRoot, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(directory => directory !== '')
  for (const directory of [...packaged, ...onPath]) {
    if ((await exists(join(directory, 'initdb'))) && (await exists(join(directory, 'postgres'))))
      return directory
  }
  return undefined
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
