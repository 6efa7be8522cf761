import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'

export interface GitResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface GitOptions {
  cwd?: string
  /** The Authorization header for HTTP requests. */
  authorization?: string
  /** Additional Git settings by name, such as `core.bare`. */
  settings?: Record<string, string>
  input?: string
}

/** Runs the installed Git without the settings of the host and without prompting for passwords. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { cwd = '/', authorization, settings = {}, input } = options
  const all = {
    'user.name': 'Jo Tester',
    'user.email': 'jo@example.test',
    'init.defaultBranch': 'main',
    'safe.directory': '*',
    'maintenance.auto': 'false',
    ...(authorization ? { 'http.extraHeader': `Authorization: ${authorization}` } : {}),
    ...settings,
  }
  const child = spawn(
    'git',
    [...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...args],
    {
      cwd,
      env: {
        NODE_ENV: 'test',
        PATH: process.env.PATH ?? '',
        HOME: '/nonexistent',
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
      },
    },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/**
 * Runs Git and returns its standard output without surrounding whitespace.
 * @throws {Error} with Git's error output if it fails.
 */
export async function gitOk(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await git(args, options)
  if (code !== 0) throw new Error(`git ${args.join(' ')} exited with code ${code}: ${stderr}`)
  return stdout.trim()
}

/**
 * Returns the command lines of running processes that contain this path, except for the Git commands that wait for more
 * work. Empty on systems without `/proc`.
 */
export async function processesOn(directory: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter(id => /^\d+$/.test(id))
  const read = ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(read)).filter(
    line => line.includes(directory) && !/\0(--batch|update-ref\0)/.test(line),
  )
}
