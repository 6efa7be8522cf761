import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
const modules = join(here, 'node_modules')
// Written last, so that an interrupted installation is repeated.
const stamp = '.installed-lock.json'

/**
 * Installs GitHub's artifact clients next to this file unless they are already installed. They are not
 * dependencies of the main package, because they need 300 MB and other versions of shared packages.
 * @returns {Promise<string | undefined>} The directory of the packages; undefined if they cannot be
 * installed.
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
    // Another process could have completed the installation first.
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
