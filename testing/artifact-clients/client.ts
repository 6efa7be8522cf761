import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestJob } from '../actions'
import { series } from '../series'
import { installArtifactClients } from './install.mjs'

/** The packages `@actions/artifact` that are tried, oldest first. */
export const clientVersions: readonly ClientVersion[] = series(
  ['6.2.1'],
  ['2.0.0', '2.3.2', '4.0.0', '5.0.3', '6.2.1'],
)
export type ClientVersion = '2.0.0' | '2.3.2' | '4.0.0' | '5.0.3' | '6.2.1'

/** Whether the stock clients are there, or could be installed. */
export async function hasArtifactClients(): Promise<boolean> {
  const found = (await installArtifactClients()) !== undefined
  if (!found && process.env.CI) throw new Error('the stock clients of artifacts cannot be installed')
  return found
}

export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what a method of the client returns.
  value?: any
  /** The name and the message of the error that the method threw. */
  error?: string
  ms: number
}

/** Whom the client works for. */
interface Location {
  url: string
  job: Pick<TestJob, 'token'>
}

/** The stock client of artifacts in a process of its own, as in a job: it knows the server by environment variables alone. */
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
      for (const answer of waiting.values()) answer({ error: `the client ended with ${code}`, ms: 0 })
    })
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the client ${version} did not start: it ended with ${code}`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => undefined)
    return new ArtifactClient(child, waiting)
  }

  /** Works for another job from now on, which saves the start of another process. */
  workFor(location: Location): void {
    this.child.send({ environment: environmentOf(location) })
  }

  /** Calls a method and returns what came of it. */
  attempt(method: string, ...args: unknown[]): Promise<Outcome> {
    const id = this.waiting.size
    return new Promise(resolve => {
      this.waiting.set(id, resolve)
      this.child.send({ id, method, args })
    })
  }

  /**
   * Calls a method and returns its result.
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
