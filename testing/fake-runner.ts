import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type CallOptions, createClient, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { PingService } from '@/proto/gen/ping/v1/ping_pb'
import {
  type RegisterRequestSchema,
  Result,
  type Runner,
  RunnerService,
  type StepStateSchema,
  type Task,
  type UpdateTaskResponse,
} from '@/proto/gen/runner/v1/runner_pb'
import type { Site } from './site'

export { Result }

/** The credentials of a runner. */
export interface RunnerIdentity {
  uuid: string
  token: string
}

/** The progress or the result that a runner reports for a task. */
export interface Report {
  result?: Result
  steps?: MessageInitShape<typeof StepStateSchema>[]
  outputs?: Record<string, string>
}

/** A task that a fake runner works on. Remembers how many log rows were sent. */
export interface FakeTask {
  task: Task
  /** Sends rows that follow the rows sent before. */
  log(...rows: string[]): Promise<void>
  /** Reports that the task is still running or, if the report has a result, that it has ended. */
  report(report?: Report): Promise<UpdateTaskResponse>
  /** Ends the task as a real runner does: closes the log and then reports the result, by default success. */
  finish(report?: Report): Promise<UpdateTaskResponse>
}

/** A runner that tests control. It sends the same messages as a real runner. */
export interface FakeRunner {
  identity: RunnerIdentity | undefined
  ping(data: string): Promise<string>
  register(request: MessageInitShape<typeof RegisterRequestSchema>): Promise<Runner>
  declare(labels: string[], rest?: { version?: string; capabilities?: string[] }): Promise<Runner>
  /** Requests a task, with the task version of the last response. */
  fetchTask(options?: CallOptions): Promise<Task | undefined>
  /**
   * Sends log rows, the first of which has this index. Returns the number of rows that the server has stored.
   */
  updateLog(taskId: bigint, index: number, rows: string[], noMore?: boolean): Promise<number>
  updateTask(taskId: bigint, report?: Report): Promise<UpdateTaskResponse>
  take(task: Task): FakeTask
  /**
   * Polls until there is a task, then performs and finishes it. By default, it succeeds with an empty log.
   */
  work(doIt?: (task: FakeTask) => Promise<Report>): Promise<Task>
  /** Discards the next response of a method, as if it were lost after the server handled the request. */
  loseAnswer(method: keyof typeof RunnerService.method): void
}

/** Creates a fake runner that sends protobuf, as a real runner does, or JSON. */
export function createFakeRunner(
  site: Pick<Site, 'url'>,
  { format = 'binary', identity }: { format?: 'binary' | 'json'; identity?: RunnerIdentity } = {},
): FakeRunner {
  const lost: string[] = []
  const authenticate: Interceptor = next => request => {
    if (runner.identity && request.method.name !== 'Register') {
      request.header.set('x-runner-uuid', runner.identity.uuid)
      request.header.set('x-runner-token', runner.identity.token)
    }
    return next(request)
  }
  const lose: Interceptor = next => async request => {
    const answer = await next(request)
    const at = lost.indexOf(request.method.localName)
    if (at < 0) return answer
    lost.splice(at, 1)
    throw new Error('the test discarded this response')
  }
  const transport = createConnectTransport({
    baseUrl: `${site.url}/api/actions`,
    httpVersion: '1.1',
    useBinaryFormat: format === 'binary',
    interceptors: [authenticate, lose],
  })
  const pings = createClient(PingService, transport)
  const calls = createClient(RunnerService, transport)
  let tasksVersion = 0n

  const runner: FakeRunner = {
    identity,
    ping: async data => (await pings.ping({ data })).data,
    async register(request) {
      const registered = required((await calls.register(request)).runner)
      runner.identity = { uuid: registered.uuid, token: registered.token }
      return registered
    },
    async declare(labels, { version = '1.0.0', capabilities = [] } = {}) {
      return required((await calls.declare({ labels, version, capabilities })).runner)
    },
    async fetchTask(options) {
      const answer = await calls.fetchTask({ tasksVersion }, options)
      tasksVersion = answer.task ? 0n : answer.tasksVersion
      return answer.task
    },
    async updateLog(taskId, index, rows, noMore = false) {
      const time = timestampFromDate(new Date())
      const sent = rows.map(content => ({ time, content }))
      const { ackIndex } = await calls.updateLog({ taskId, index: BigInt(index), rows: sent, noMore })
      return Number(ackIndex)
    },
    async updateTask(id, { result = Result.UNSPECIFIED, steps = [], outputs = {} } = {}) {
      const stopped = result === Result.UNSPECIFIED ? {} : { stoppedAt: timestampFromDate(new Date()) }
      return await calls.updateTask({ state: { id, result, steps, ...stopped }, outputs })
    },
    take(task) {
      let sent = 0
      return {
        task,
        async log(...rows) {
          sent = await runner.updateLog(task.id, sent, rows)
        },
        report: report => runner.updateTask(task.id, report),
        async finish(report) {
          await runner.updateLog(task.id, sent, [], true)
          return await runner.updateTask(task.id, { result: Result.SUCCESS, ...report })
        },
      }
    },
    async work(doIt = async () => ({})) {
      for (;;) {
        const task = await runner.fetchTask()
        if (!task) continue
        const claimed = runner.take(task)
        await claimed.finish(await doIt(claimed))
        return task
      }
    },
    loseAnswer: method => void lost.push(method),
  }
  return runner
}

function required(runner: Runner | undefined): Runner {
  if (!runner) throw new Error('the response contains no runner')
  return runner
}
