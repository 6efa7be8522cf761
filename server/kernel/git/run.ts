import { once } from 'node:events'
import { pipeline, Readable } from 'node:stream'
import { refuseInTransaction } from '@/db/transaction'
import { diskErrorIn } from '../fs/disk-trouble'
import type { Child } from '../launcher/child'
import { launch } from '../launcher/launch'
import { singleton } from '../singleton'
import { type GitSettings, gitEnvironment } from './environment'
import { defaultMemory, type GitMemory } from './memory'

/** Error of a Git command that failed, or that was stopped because it took too long or printed too much. */
export class GitError extends Error {
  override name = 'GitError'

  constructor(
    command: string,
    reason: string,
    readonly stderr: string,
    /** Exit code of Git; undefined if it was stopped. */
    readonly exitCode?: number,
  ) {
    super(`git ${command}: ${reason}${stderr ? `: ${stderr.trim()}` : ''}`, { cause: diskErrorIn(stderr) })
  }
}

/** Error of a Git command that was stopped because it exceeded its time limit. */
export class GitTimeout extends GitError {
  override name = 'GitTimeout'
}

export interface GitOptions {
  /** The bare repository that the command works on; absent for commands that need none. */
  repository?: string
  settings?: GitSettings
  /** Environment variables in addition to those that Git always gets. */
  environment?: Readonly<Record<string, string>>
  memory?: GitMemory
  input?: string | Buffer | Readable
  timeoutMs?: number
  /** Stops Git early; the reason of the signal is then thrown. */
  signal?: AbortSignal | undefined
  /** Maximum size of the standard output in bytes. */
  maxBytes?: number
}

/** Git command that took two seconds or more, apart from fetches and pushes, which wait for their client. */
export interface SlowGit {
  command: string
  repository?: string | undefined
  /** In milliseconds. */
  duration: number
}

/** What is called after each slow Git command of this process. */
export const slowGit = (): { listener?: (slow: SlowGit) => void } => singleton('slow-git', () => ({}))

const slowMs = 2_000

const defaultTimeoutMs = 60_000
const defaultMaxBytes = 1024 * 1024
const maxErrorText = 4096

// Node cannot limit the memory of a child process, but a shell can. If memory still runs out, Linux kills the
// process with the highest score, so it kills a Git command and never the site. The script passes each
// argument on unchanged.
const limited = '{ echo 1000 >/proc/self/oom_score_adj; ulimit -d "$1"; } 2>/dev/null; shift; exec git "$@"'

/**
 * Starts Git with a clean environment and a memory limit. With `socket`, Git and the hooks that it runs can
 * communicate with this process over their file descriptor 3, which is `stdio[3]` of the returned child.
 * @throws {Error} inside a database transaction
 */
export function spawnGit(
  args: readonly string[],
  {
    repository,
    settings,
    environment,
    memory = defaultMemory,
    socket,
  }: Pick<GitOptions, 'repository' | 'settings' | 'environment' | 'memory'> & { socket?: boolean } = {},
): Child {
  refuseInTransaction(`git ${args[0]}`)
  const gitDir = repository ? [`--git-dir=${repository}`] : []
  return launch({
    script: limited,
    args: [String(memory.totalKib), ...gitDir, ...args],
    env: gitEnvironment(settings, environment, memory),
    ...(socket ? { socket } : {}),
  })
}

/**
 * Runs Git and returns its standard output as text.
 * @throws {GitError} if it fails
 */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { maxBytes = defaultMaxBytes } = options
  const kept: Buffer[] = []
  let size = 0
  await readGit(args, options, chunk => {
    size += chunk.length
    if (size > maxBytes) throw new GitError(args[0] ?? '', `printed more than ${maxBytes} bytes`, '')
    kept.push(chunk)
  })
  return Buffer.concat(kept).toString('utf8')
}

/**
 * Runs Git and passes its standard output to `take` as it arrives.
 * @throws {GitError} if it fails; errors of `take` are rethrown
 */
export async function readGit(
  args: readonly string[],
  options: GitOptions,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const [command = ''] = args
  const { signal } = options
  signal?.throwIfAborted()
  const begun = performance.now()
  const child = spawnGit(args, options)
  const stderr = textOf(child.stderr)
  const ended: Promise<unknown[]> = once(child, 'close')
  // Awaited below, where a failure to start is reported.
  ended.catch(() => undefined)
  const cutOff = (reason: Error) => {
    child.kill('SIGTERM')
    child.stdout.destroy(reason)
  }
  const tooLate = () => cutOff(new GitTimeout(command, 'took too long', stderr()))
  const timer = setTimeout(tooLate, options.timeoutMs ?? defaultTimeoutMs)
  const abort = () => cutOff(signal?.reason)
  signal?.addEventListener('abort', abort)
  // If Git exits before it has read all input, its exit code is reported.
  child.stdin.on('error', () => undefined)
  const { input } = options
  // If it fails, Git gets half of it, and fails as well.
  if (input instanceof Readable) pipeline(input, child.stdin, () => undefined)
  else child.stdin.end(input)
  try {
    for await (const chunk of child.stdout) take(chunk as Buffer)
    const [code] = await ended
    if (typeof code !== 'number') throw new GitError(command, 'was stopped by a signal', stderr())
    if (code !== 0) throw new GitError(command, `exited with code ${code}`, stderr(), code)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    // SIGTERM lets Git stop its children and remove its lock files.
    child.kill('SIGTERM')
    child.stderr.destroy()
    await ended.catch(() => undefined)
    reportIfSlow(command, options.repository, begun)
  }
}

/** Reports a Git command that began at `begun` of `performance.now()` if it took two seconds or more. */
export function reportIfSlow(command: string, repository: string | undefined, begun: number): void {
  const duration = Math.round(performance.now() - begun)
  if (duration >= slowMs) slowGit().listener?.({ command, repository, duration })
}

/**
 * Collects the start of a stream's text, up to a limit; the returned function returns the text received so
 * far.
 */
export function textOf(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', chunk => {
    if (text.length < maxErrorText) text = (text + chunk).slice(0, maxErrorText)
  })
  return () => text
}
