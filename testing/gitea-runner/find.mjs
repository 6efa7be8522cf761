import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'guildhall-tests', 'gitea-runner')
const oldestGo = [1, 26]
const published = ['gitea.com/gitea/runner', 'gitea.com/gitea/act_runner']

/**
 * Finds the published Gitea runner, or installs it with `go install` into the user's cache.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it cannot be installed.
 */
export async function findGiteaRunner() {
  for (const path of published) {
    const program = join(cache, path.slice(path.lastIndexOf('/') + 1))
    if (existsSync(program)) return program
  }
  if (!(await hasGo())) return undefined
  await mkdir(cache, { recursive: true })
  for (const path of published) {
    const options = { env: { ...process.env, GOBIN: cache }, timeout: 300_000 }
    const installed = await run('go', ['install', `${path}@latest`], options).then(
      () => true,
      () => false,
    )
    if (installed) return join(cache, path.slice(path.lastIndexOf('/') + 1))
  }
  return undefined
}

const standIn = { cwd: join(import.meta.dirname, 'stand-in'), timeout: 600_000, maxBuffer: 2 ** 26 }

/**
 * Finds the source of a stand-in runner that combines the Gitea runner's executor and transport with a small
 * daemon of its own.
 * @returns {Promise<string | undefined>} The source directory; undefined if the runner cannot be built.
 */
export async function findStandInRunner() {
  if (!(await hasGo())) return undefined
  // Downloads the dependencies, which proves that a build is possible but is much faster.
  return await run('go', ['list', '-deps', '.'], standIn).then(
    () => standIn.cwd,
    () => undefined,
  )
}

/**
 * Builds the stand-in runner. Go rebuilds it only if the source has changed.
 * @returns {Promise<string>} The path of the program.
 */
export async function buildStandInRunner() {
  const program = join(cache, 'stand-in')
  await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', program, '.'], standIn)
  return program
}

async function hasGo() {
  const { stdout } = await run('go', ['env', 'GOVERSION']).catch(() => ({ stdout: '' }))
  const [, major = '0', minor = '0'] = /^go(\d+)\.(\d+)/.exec(stdout) ?? []
  const [oldestMajor = 0, oldestMinor = 0] = oldestGo
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor)
}
