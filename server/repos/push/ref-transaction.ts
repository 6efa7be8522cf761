import { durableConfig } from '@/server/kernel/git/environment'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { GitError, GitTimeout, reportIfSlow, spawnGit, textOf } from '@/server/kernel/git/run'
import { singleton } from '@/server/kernel/singleton'
import type { RefUpdate } from './ref-update'
import type { Outcome } from './spool'

// Another process can be moving the ref; by default, Git would give up waiting after 100 milliseconds.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

const deadlineMs = 60_000
const maxIdle = 8
const idleMs = 10_000
// Git keeps packs on disk that another process has deleted.
const maxAgeMs = 10 * 60_000

/** What a transaction has changed, and why it failed. */
export interface RefResult {
  outcome: Outcome
  failure?: unknown
}

/** A Git command that waits for changes of refs. */
export interface RefTransaction {
  /** Makes all changes or none, once the objects are written to which the refs will point. */
  commit(updates: readonly RefUpdate[], written: Promise<unknown>): Promise<RefResult>
  /** Leaves the command to the next transaction of the repository, or ends it after ten seconds. */
  close(): void
}

/** Gets a Git command that changes refs of a repository as soon as the changes are known: a waiting one, or a new one. */
export function startRefTransaction(repository: string): RefTransaction {
  const { take, keep } = waitingCommands()
  let command = take(repository) ?? new UpdateRef(repository)
  return {
    async commit(updates, written) {
      try {
        await written
      } catch (failure) {
        return { outcome: undefined, failure }
      }
      const isNew = !command.hasWorked
      const result = await command.change(updates)
      // A new command tells whether the refs or the age of the former one are the cause.
      if (isNew || !result.failure || result.outcome) return result
      command = new UpdateRef(repository)
      return await command.change(updates)
    },
    close: () => keep(command),
  }
}

/** A running `git update-ref`, which makes one transaction after the other. */
class UpdateRef {
  readonly startedAt = performance.now()
  hasWorked = false
  #printed = ''
  #failure: unknown
  #settle: ((failure?: unknown) => void) | undefined
  readonly #child: ReturnType<typeof spawnGit>

  constructor(readonly repository: string) {
    this.#child = spawnGit(['update-ref', '-z', '--stdin'], { repository, settings })
    const { stdin, stdout, stderr } = this.#child
    const complaint = textOf(stderr)
    // Reported when the command has ended.
    for (const stream of [stdin, stdout]) stream.on('error', () => undefined)
    stdout.on('data', (chunk: Buffer) => {
      this.#printed += chunk
      if (this.#printed.endsWith('commit: ok\n')) this.#settle?.()
    })
    this.#child.once('error', error => this.#fail(error))
    this.#child.once('close', (code: number | null) => {
      const reason = code === null ? 'was stopped by a signal' : `exited with code ${code}`
      this.#fail(new GitError('update-ref', reason, complaint(), code ?? undefined))
    })
  }

  get isUsable(): boolean {
    return this.#failure === undefined && performance.now() - this.startedAt < maxAgeMs
  }

  async change(updates: readonly RefUpdate[]): Promise<RefResult> {
    const begun = performance.now()
    this.#printed = ''
    const failure = await new Promise<unknown>(resolve => {
      const timer = setTimeout(() => {
        this.#fail(new GitTimeout('update-ref', 'took too long', ''))
        // Git removes its lock files.
        this.#child.kill('SIGTERM')
      }, deadlineMs)
      this.#settle = failure => {
        clearTimeout(timer)
        this.#settle = undefined
        resolve(failure)
      }
      if (this.#failure === undefined) this.#child.stdin.write(bytesForGit(commands(updates)))
      else this.#settle(this.#failure)
    })
    this.hasWorked = true
    reportIfSlow('update-ref', this.repository, begun)
    if (failure === undefined) return { outcome: { done: [...updates] } }
    // If Git ended by itself before it had prepared the transaction, it changed nothing. After any other failure, the
    // refs show what was changed.
    const didNothing =
      failure instanceof GitError && failure.exitCode !== undefined && !this.#printed.includes('prepare: ok')
    return { outcome: didNothing ? undefined : { wanted: [...updates] }, failure }
  }

  end(): void {
    this.#failure ??= new GitError('update-ref', 'had ended', '')
    this.#child.stdin.end()
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#settle?.(error)
  }
}

/** The commands of this process that wait for the next transaction of their repository, at most eight. */
const waitingCommands = () => singleton('waiting-update-refs', createWaiting)

function createWaiting() {
  // The one that has waited longest comes first.
  const waiting: { command: UpdateRef; timer: NodeJS.Timeout }[] = []
  const remove = (at: number): UpdateRef | undefined => {
    const [entry] = at < 0 ? [] : waiting.splice(at, 1)
    clearTimeout(entry?.timer)
    return entry?.command
  }
  return {
    take(repository: string): UpdateRef | undefined {
      const command = remove(waiting.findLastIndex(entry => entry.command.repository === repository))
      if (command === undefined || command.isUsable) return command
      command.end()
      return undefined
    },
    keep(command: UpdateRef): void {
      if (!command.isUsable) {
        command.end()
        return
      }
      const end = (): void => remove(waiting.findIndex(entry => entry.command === command))?.end()
      waiting.push({ command, timer: setTimeout(end, idleMs).unref() })
      if (waiting.length > maxIdle) remove(0)?.end()
    },
  }
}

// Updates a symbolic ref itself, not the ref to which it points.
const commands = (updates: readonly RefUpdate[]): string =>
  [
    'start',
    ...updates.flatMap(({ ref, before, after }) => ['option no-deref', `update ${ref}`, after, before]),
    'prepare',
    'commit',
  ]
    .map(word => `${word}\0`)
    .join('')
