import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { refuseInTransaction } from '@/db/transaction'
import { diskErrorIn } from '../fs/disk-trouble'
import type { Child } from '../launcher/child'
import { launch } from '../launcher/launch'
import { type GitSettings, gitEnvironment } from './environment'
import { defaultMemory, type GitMemory } from './memory'

/** Git ended with a failure, or was ended because it took too long or said too much. */
export class GitError extends Error {
  override name = 'GitError'

  constructor(
    command: string,
    reason: string,
    readonly stderr: string,
    /** What git ended with, when it ended by itself. */
    readonly exitCode?: number,
  ) {
    super(`git ${command}: ${reason}${stderr ? `: ${stderr.trim()}` : ''}`, { cause: diskErrorIn(stderr) })
  }
}

/** Git was ended because it took longer than it was given. */
export class GitTimeout extends GitError {
  override name = 'GitTimeout'
}

export interface GitOptions {
  /** The bare repository the command is about; absent for commands that need none. */
  repository?: string
  settings?: GitSettings
  /** Variables besides those that git always has. */
  environment?: Readonly<Record<string, string>>
  memory?: GitMemory
  input?: string | Buffer
  timeoutMs?: number
  /** Ends git early; its reason is what is thrown then. */
  signal?: AbortSignal | undefined
  /** Of standard output. */
  maxBytes?: number
}

const defaultTimeoutMs = 60_000
const defaultMaxBytes = 1024 * 1024
const maxErrorText = 4096

// Node cannot limit the memory of a child, a shell can. Where memory runs out all the same, Linux ends the process that
// offers itself most: a git, never the site. Each argument stays one argument, whatever is in it.
const limited = '{ echo 1000 >/proc/self/oom_score_adj; ulimit -d "$1"; } 2>/dev/null; shift; exec git "$@"'

/**
 * Starts git with a clean environment and a limit of memory. With `socket` the child and the hooks it runs talk to us over
 * their file descriptor 3, which is `stdio[3]` here.
 * @throws {Error} inside a database transaction.
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
 * Runs git to its end and returns its standard output as text.
 * @throws {GitError} when it fails.
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
 * Runs git to its end and calls `take` with its standard output as it comes.
 * @throws {GitError} when it fails; what `take` throws, too.
 */
export async function readGit(
  args: readonly string[],
  options: GitOptions,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const [command = ''] = args
  const { signal } = options
  signal?.throwIfAborted()
  const child = spawnGit(args, options)
  const stderr = textOf(child.stderr)
  const ended: Promise<unknown[]> = once(child, 'close')
  // Awaited only below, where a failure to start at all is told.
  ended.catch(() => undefined)
  const cutOff = (reason: Error) => {
    child.kill('SIGTERM')
    child.stdout.destroy(reason)
  }
  const tooLate = () => cutOff(new GitTimeout(command, 'took too long', stderr()))
  const timer = setTimeout(tooLate, options.timeoutMs ?? defaultTimeoutMs)
  const abort = () => cutOff(signal?.reason)
  signal?.addEventListener('abort', abort)
  // A child that ends before it has read everything is told by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input)
  try {
    for await (const chunk of child.stdout) take(chunk as Buffer)
    const [code] = await ended
    if (typeof code !== 'number') throw new GitError(command, 'was cut off', stderr())
    if (code !== 0) throw new GitError(command, `ended with ${code}`, stderr(), code)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    // A polite signal: git takes its children and its lock files along.
    child.kill('SIGTERM')
    child.stderr.destroy()
    await ended.catch(() => undefined)
  }
}

/** Keeps the beginning of a stream's text; the function returns what has come so far. */
export function textOf(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', chunk => {
    if (text.length < maxErrorText) text = (text + chunk).slice(0, maxErrorText)
  })
  return () => text
}
