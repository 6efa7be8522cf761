import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
const modules = join(here, 'node_modules')
// Written last, so that an installation that was interrupted is made again.
const stamp = '.installed-lock.json'

/**
 * Installs the stock clients beside this file unless they are there; beside, and not in the main package, because they
 * bring 300 MB of packages in versions of their own.
 * @returns {Promise<string | undefined>} Their directory; undefined where they cannot be installed.
 */
export async function installArtifactClients() {
  if (await isInstalled()) return modules
  const fresh = await mkdtemp(join(here, 'node_modules.'))
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(here, file), join(fresh, file))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: fresh,
      timeout: 300_000,
    })
    await copyFile(join(here, 'package-lock.json'), join(fresh, 'node_modules', stamp))
    await rm(modules, { recursive: true, force: true })
    await rename(join(fresh, 'node_modules'), modules)
  } catch {
    // Another process may have been quicker.
    return (await isInstalled()) ? modules : undefined
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return modules
}

async function isInstalled() {
  const read = path => readFile(path, 'utf8').catch(() => undefined)
  return (await read(join(modules, stamp))) === (await read(join(here, 'package-lock.json')))
}
