import type { Child } from '../launcher/child'
import { singleton } from '../singleton'
import { durableConfig } from './environment'
import { GitError, GitTimeout, reportIfSlow, spawnGit, textOf } from './run'

// Another process can be moving the ref; by default, Git would give up waiting after 100 milliseconds.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

const deadlineMs = 60_000
const maxWaiting = 8
const waitMs = 10_000
// Ending the command frees the space of packs that another process has deleted.
const maxAgeMs = 60_000

/** How a transaction ended. */
export interface TransactionEnd {
  /** Absent if all changes were made. */
  failure?: Error
  /** Whether Git may have made some of the changes. */
  mayHaveChanged: boolean
}

/**
 * Running `git update-ref --stdin`, which makes one transaction after the other. What it has read of objects and packs, it
 * keeps: it must not be reused for refs to objects that can have been pruned since.
 */
export class UpdateRef {
  readonly startedAt = performance.now()
  /** Set once it has been asked for a transaction. */
  isReused = false
  /** Set to end the command instead of letting it wait for another transaction. */
  isRetired = false
  #printed = ''
  #failure: Error | undefined
  #timeout: GitTimeout | undefined
  #settle: ((failure?: Error) => void) | undefined
  readonly #child: Child

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
    this.#child.once('error', error => this.#end(error))
    this.#child.once('close', (code: number | null) => {
      const reason = code === null ? 'was stopped by a signal' : `exited with code ${code}`
      this.#end(this.#timeout ?? new GitError('update-ref', reason, complaint(), code ?? undefined))
    })
  }

  get isUsable(): boolean {
    const isYoung = performance.now() - this.startedAt < maxAgeMs
    return this.#failure === undefined && this.#timeout === undefined && !this.isRetired && isYoung
  }

  /** Makes a transaction of these commands, each of which ends with a NUL. Resolves when Git has made it or has ended. */
  async run(commands: Buffer): Promise<TransactionEnd> {
    this.#printed = ''
    if (this.#failure) return { failure: this.#failure, mayHaveChanged: false }
    const begun = performance.now()
    this.isReused = true
    const failure = await new Promise<Error | undefined>(resolve => {
      const timer = setTimeout(() => {
        this.#timeout = new GitTimeout('update-ref', 'took too long', '')
        // Git removes its lock files.
        this.#child.kill('SIGTERM')
      }, deadlineMs)
      this.#settle = failure => {
        clearTimeout(timer)
        this.#settle = undefined
        resolve(failure)
      }
      this.#child.stdin.write(Buffer.concat([wordOf('start'), commands, wordOf('prepare'), wordOf('commit')]))
    })
    reportIfSlow('update-ref', this.repository, begun)
    if (failure === undefined) return { mayHaveChanged: true }
    // If Git ended by itself before it had prepared the transaction, it changed nothing.
    const hasRefused = failure instanceof GitError && failure.exitCode !== undefined
    return { failure, mayHaveChanged: !hasRefused || this.#printed.includes('prepare: ok') }
  }

  end(): void {
    this.#failure ??= new GitError('update-ref', 'had ended', '')
    this.#child.stdin.end()
  }

  #end(failure: Error): void {
    this.#failure ??= failure
    this.#settle?.(failure)
  }
}

const wordOf = (word: string): Buffer => Buffer.from(`${word}\0`)

/** The commands of this process: those in use, and at most eight that wait for another transaction of their repository. */
export const updateRefPool = (): ReturnType<typeof createPool> => singleton('update-ref-pool', createPool)

function createPool() {
  const inUse = new Set<UpdateRef>()
  // The one that has waited longest comes first.
  const waiting: { command: UpdateRef; timer: NodeJS.Timeout }[] = []

  function take(at: number): UpdateRef | undefined {
    const [entry] = at < 0 ? [] : waiting.splice(at, 1)
    clearTimeout(entry?.timer)
    return entry?.command
  }

  return {
    /** Gets a command that nobody else uses: one that waits, or a new one. */
    use(repository: string, { isNew = false } = {}): UpdateRef {
      const isOfRepository = ({ command }: { command: UpdateRef }) => command.repository === repository
      const found = isNew ? undefined : take(waiting.findLastIndex(isOfRepository))
      if (found && !found.isUsable) found.end()
      const command = found?.isUsable ? found : new UpdateRef(repository)
      inUse.add(command)
      return command
    },
    /** Lets a command wait for ten seconds for another transaction. */
    keep(command: UpdateRef): void {
      inUse.delete(command)
      if (!command.isUsable) {
        command.end()
        return
      }
      const end = (): void => take(waiting.findIndex(entry => entry.command === command))?.end()
      waiting.push({ command, timer: setTimeout(end, waitMs).unref() })
      if (waiting.length > maxWaiting) take(0)?.end()
    },
    /** Ends the waiting commands of a repository now, and those in use after their transaction. */
    end(repository: string): void {
      for (const { command } of waiting.filter(({ command }) => command.repository === repository)) {
        take(waiting.findIndex(entry => entry.command === command))?.end()
      }
      for (const command of inUse) if (command.repository === repository) command.isRetired = true
    },
  }
}
