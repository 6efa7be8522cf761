import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config-error'
import { writeFileAtomic } from '../fs/atomic-write'
import { makeDirectory } from '../fs/fsync'

/**
 * Writes executable Git hooks into a directory, by name. Each file is written atomically, so several
 * processes can do this concurrently.
 * @throws {ConfigError} if files in the directory cannot be executed, because Git would silently skip the
 * hooks
 */
export async function installHooks(directory: string, hooks: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(hooks)) {
    const path = join(directory, name)
    if (!(await isInstalled(path, text))) await install(path, text)
  }
}

async function isInstalled(path: string, text: string): Promise<boolean> {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  return present === text && (await isRunnable(path))
}

async function install(path: string, text: string): Promise<void> {
  await makeDirectory(dirname(path))
  await writeFileAtomic(path, text, { executable: true })
  if (await isRunnable(path)) return
  throw new ConfigError(
    `GUILDHALL_REPOSITORY_DIR: ${path} cannot be run; the repository directory must not be mounted noexec`,
  )
}

const isRunnable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
