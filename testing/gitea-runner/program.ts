import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The `runs-on` label of jobs for this runner. It runs them directly on the host, without containers. */
export const hostLabel = 'this-host'

/** A runner program with a registration and a home directory of its own. */
export class RunnerProgram implements AsyncDisposable {
  private daemon: ChildProcess | undefined
  private printed = ''

  private constructor(
    private readonly program: string,
    private readonly home: string,
  ) {}

  /**
   * Registers the program as a runner.
   * @throws {Error} with the program's output if it fails.
   */
  static async register(
    program: string,
    { url, token, name }: { url: string; token: string; name: string },
  ): Promise<RunnerProgram> {
    const home = await mkdtemp(join(tmpdir(), 'guildhall-runner-'))
    const made = new RunnerProgram(program, home)
    await mkdir(join(home, 'work'))
    await writeFile(join(home, 'config.yaml'), configuration(home))
    const options = ['--instance', url, '--token', token, '--name', name, '--labels', `${hostLabel}:host`]
    const { stdout, stderr } = await promisify(execFile)(
      program,
      ['-c', join(home, 'config.yaml'), 'register', '--no-interactive', ...options],
      { env: made.environment() },
    )
    made.printed += stdout + stderr
    return made
  }

  /** Starts the daemon, which fetches and runs jobs. */
  start(): void {
    this.daemon = spawn(this.program, ['-c', join(this.home, 'config.yaml'), 'daemon'], {
      env: this.environment(),
    })
    for (const stream of [this.daemon.stdout, this.daemon.stderr])
      stream?.on('data', chunk => (this.printed += chunk))
  }

  /** Returns everything that the program has printed so far. */
  output(): string {
    return this.printed
  }

  /** Waits until the daemon exits on its own, and returns its exit code. */
  async ended(): Promise<number | null> {
    if (!this.daemon) return null
    if (this.daemon.exitCode === null) await once(this.daemon, 'exit')
    return this.daemon.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.daemon?.exitCode === null) {
      this.daemon.kill()
      await once(this.daemon, 'exit')
    }
    await rm(this.home, { recursive: true, force: true })
  }

  private environment(): NodeJS.ProcessEnv {
    return { NODE_ENV: 'test', PATH: process.env.PATH, HOME: this.home, LC_ALL: 'C' }
  }
}

// The configuration is in YAML, of which JSON is a subset.
const configuration = (home: string): string =>
  JSON.stringify({
    log: { level: 'debug' },
    runner: {
      file: join(home, '.runner'),
      capacity: 1,
      fetch_interval: '200ms',
      fetch_interval_max: '200ms',
      log_report_interval: '200ms',
      log_report_max_latency: '200ms',
      state_report_interval: '200ms',
    },
    cache: { enabled: false },
    host: { workdir_parent: join(home, 'work') },
  })
