import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestJob } from '../actions'
import { series } from '../series'
import { installArtifactClients } from './install.mjs'

/** The versions of the package `@actions/artifact` to test, oldest first. */
export const clientVersions: readonly ClientVersion[] = series(
  ['6.2.1'],
  ['2.0.0', '2.3.2', '4.0.0', '5.0.3', '6.2.1'],
)
export type ClientVersion = '2.0.0' | '2.3.2' | '4.0.0' | '5.0.3' | '6.2.1'

/**
 * Returns whether GitHub's artifact clients are installed, after trying to install them.
 * @throws {Error} if they cannot be installed and `CI` is set.
 */
export async function hasArtifactClients(): Promise<boolean> {
  const found = (await installArtifactClients()) !== undefined
  if (!found && process.env.CI) throw new Error('GitHub’s artifact clients cannot be installed')
  return found
}

export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what a method of the client returns.
  value?: any
  /** The name and message of the error that the method threw. */
  error?: string
  ms: number
}

/** The server and the job for which the client works. */
interface Location {
  url: string
  job: Pick<TestJob, 'token'>
}

/**
 * GitHub's artifact client in a process of its own. As in a workflow job, it finds the server through
 * environment variables.
 */
export class ArtifactClient implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    private readonly waiting: Map<number, (outcome: Outcome) => void>,
  ) {}

  static async start(
    version: ClientVersion,
    { workspace, ...location }: Location & { workspace: string },
  ): Promise<ArtifactClient> {
    const child = fork(join(import.meta.dirname, 'child.mjs'), [`artifact-${version}`], {
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        GITHUB_WORKSPACE: workspace,
        ...environmentOf(location),
      },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const waiting = new Map<number, (outcome: Outcome) => void>()
    child.on('message', ({ id, ...outcome }: Outcome & { id: number }) => waiting.get(id)?.(outcome))
    child.once('exit', code => {
      for (const answer of waiting.values())
        answer({ error: `the artifact client exited with code ${code}`, ms: 0 })
    })
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`artifact client ${version} did not start: it exited with code ${code}`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => undefined)
    return new ArtifactClient(child, waiting)
  }

  /** Makes the client work for another job from now on, which is faster than starting another process. */
  workFor(location: Location): void {
    this.child.send({ environment: environmentOf(location) })
  }

  /** Calls a method of the client and returns its result or its error. */
  attempt(method: string, ...args: unknown[]): Promise<Outcome> {
    const id = this.waiting.size
    return new Promise(resolve => {
      this.waiting.set(id, resolve)
      this.child.send({ id, method, args })
    })
  }

  /**
   * Calls a method of the client and returns its result.
   * @throws {Error} if the method throws.
   */
  async call(method: string, ...args: unknown[]): Promise<Outcome['value']> {
    const { value, error } = await this.attempt(method, ...args)
    if (error !== undefined) throw new Error(error)
    return value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null) return
    this.child.kill()
    await once(this.child, 'exit')
  }
}

function environmentOf({ url, job }: Location): Record<string, string> {
  return {
    ACTIONS_RESULTS_URL: `${url}/`,
    ACTIONS_RUNTIME_TOKEN: job.token,
    GITHUB_API_URL: `${url}/api/v1`,
  }
}
