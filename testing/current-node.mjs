import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Major version of Node.js that is recommended, and that the tests install if they run on another one. */
export const currentNodeMajor = 26

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'guildhall-tests', 'node')

/**
 * Finds the recommended version of Node.js: the one of the tests, or the newest release from the npm registry,
 * which is installed in the user's cache.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it cannot be installed.
 */
export async function findCurrentNode() {
  if (Number.parseInt(process.versions.node, 10) === currentNodeMajor) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  await mkdir(cache, { recursive: true })
  const options = ['--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund']
  // Without the registry, an older installation is used.
  await run('npm', ['install', ...options, `${name}@${currentNodeMajor}`], { timeout: 300_000 }).catch(
    () => undefined,
  )
  const program = join(cache, 'node_modules', name, 'bin/node')
  return run(program, ['--version']).then(
    () => program,
    () => undefined,
  )
}
