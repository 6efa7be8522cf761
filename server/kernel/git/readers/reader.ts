import type { Child } from '../../launcher/child'
import { GitError, GitTimeout, spawnGit, textOf } from '../run'
import { AnswerParser, type Asked, type Command, type Header } from './answers'

/**
 * How readers are started: as one `git cat-file --batch-command`, or, with Git before 2.36, as a pair of
 * `git cat-file --batch-check` and `git cat-file --batch`.
 */
export type ReaderForm = 'command' | 'pair'

/** Thrown to whoever waits for answers of a reader that has ended, or that answered something unexpected. */
export class ReaderEnded extends GitError {
  override name = 'ReaderEnded'

  constructor(
    reason: string,
    stderr: string,
    /** Whether the reader was new, so that nothing else than the first open question can have ended it. */
    readonly wasNew: boolean,
    /** Header of the object whose content was being read. */
    readonly header: Header | undefined,
    exitCode?: number,
  ) {
    super('cat-file', reason, stderr, exitCode)
  }
}

const deadlineMs = 60_000

// The warning would fill the standard error of a process that lives for minutes.
const settings = { 'core.warnAmbiguousRefs': 'false' }

const options: Record<ReaderForm, Record<Command, string[]>> = {
  command: { info: ['--batch-command', '--buffer'], contents: ['--batch-command', '--buffer'] },
  pair: { info: ['--batch-check'], contents: ['--batch'] },
}

/**
 * Warm `git cat-file` of one repository. It answers one caller at a time; a reader whose answers were not
 * awaited is no longer usable.
 */
export class Reader {
  readonly startedAt = performance.now()
  /** Set to end the reader as soon as its caller has its answers. */
  isRetired = false
  readonly #processes = new Map<string, Process>()

  constructor(
    readonly repository: string,
    private readonly form: ReaderForm,
  ) {}

  get isUsable(): boolean {
    return !this.isRetired && [...this.#processes.values()].every(one => one.isUsable)
  }

  get pids(): number[] {
    return [...this.#processes.values()].flatMap(one => one.pid ?? [])
  }

  /**
   * Asks Git, and returns once everything is answered.
   * @throws {ReaderEnded} if the process ends before; {GitTimeout} after a minute; the reason of the signal
   */
  async ask(asked: Asked, signal?: AbortSignal): Promise<void> {
    const args = options[this.form][asked.command]
    const key = args.join(' ')
    const process = this.#processes.get(key) ?? new Process(this.repository, args)
    this.#processes.set(key, process)
    await process.ask(asked, this.#input(asked), signal)
  }

  end(): void {
    for (const process of this.#processes.values()) process.end()
  }

  #input({ command, names }: Asked): Buffer {
    const isPair = this.form === 'pair'
    const verb = isPair ? '' : `${command} `
    const lines = names.map(name => `${verb}${name}\n`).join('')
    return Buffer.from(isPair ? lines : `${lines}flush\n`, 'latin1')
  }
}

class Process {
  readonly #child: Child
  readonly #stderr: () => string
  #asking: { parser: AnswerParser; resolve(): void; reject(error: unknown): void } | undefined
  #hasAnswered = false
  #hasEnded = false

  constructor(repository: string, args: readonly string[]) {
    this.#child = spawnGit(['cat-file', ...args], { repository, settings })
    this.#stderr = textOf(this.#child.stderr)
    const { stdin, stdout } = this.#child
    // Reported when the process has ended.
    for (const stream of [stdin, stdout]) stream.on('error', () => undefined)
    stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#child.once('error', error => this.#fail(error))
    this.#child.once('close', (code: number | null) =>
      this.#fail(this.#ended(endOf(code), code ?? undefined)),
    )
  }

  get isUsable(): boolean {
    return !this.#hasEnded && !this.#asking
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  async ask(asked: Asked, input: Buffer, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#hasEnded) throw this.#ended('had ended')
    const tooLate = () => this.#fail(new GitTimeout('cat-file', 'took too long', this.#stderr()))
    const abort = () => this.#fail(signal?.reason)
    const timer = setTimeout(tooLate, deadlineMs)
    signal?.addEventListener('abort', abort)
    try {
      await new Promise<void>((resolve, reject) => {
        this.#asking = { parser: new AnswerParser(asked), resolve, reject }
        this.#child.stdin.write(input)
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  end(): void {
    this.#hasEnded = true
    this.#child.kill('SIGTERM')
  }

  #take(chunk: Buffer): void {
    if (this.#hasEnded) return
    const asking = this.#asking
    try {
      if (!asking) throw new Error('printed something unasked')
      asking.parser.push(chunk)
    } catch (error) {
      return void this.#fail(this.#ended((error as Error).message))
    }
    if (!asking.parser.isDone) return
    this.#hasAnswered = true
    this.#asking = undefined
    asking.resolve()
  }

  // Answers that still arrive belong to nobody, so the process cannot be used again.
  #fail(error: unknown): void {
    this.#asking?.reject(error)
    this.#asking = undefined
    this.end()
  }

  #ended(reason: string, exitCode?: number): ReaderEnded {
    const parser = this.#asking?.parser
    const wasNew = !this.#hasAnswered && !parser?.answered
    return new ReaderEnded(reason, this.#stderr(), wasNew, parser?.incomplete, exitCode)
  }
}

const endOf = (code: number | null): string =>
  code === null ? 'was stopped by a signal' : `exited with code ${code}`
