import { makeRepository } from '@/db/testing/factories'
import { Result, type Task } from '@/proto/gen/runner/v1/runner_pb'
import { call } from './call'
import { createFakeRunner, type FakeRunner, type FakeTask } from './fake-runner'
import { makePerson, type Person } from './people'
import { makeRunner } from './runners'
import type { Site } from './site'

/** A repository whose workflows run on a runner that the test controls. */
export interface TestWorkflows {
  ada: Person
  repository: { id: number; name: string }
  /** API path of the repository's actions. */
  path: string
  runner: FakeRunner
  addRunner(labels: string[]): Promise<FakeRunner>
  /** Starts a run of this workflow, which must be valid. */
  start(workflow: string, rest?: Record<string, unknown>): Promise<number>
  /** Returns the name and outcome of each job of a run, in order. */
  jobs(run: number): Promise<string[]>
  /** Returns the jobs of a run as the API shows them. */
  details(run: number): Promise<Record<string, unknown>[]>
  /** Returns the conclusion of a run, or its status. */
  outcome(run: number): Promise<string>
  /** Fetches a task, whose job must have this name. */
  take(name?: string, from?: FakeRunner): Promise<FakeTask & { context: Record<string, unknown> }>
  /** Whether there is nothing for a runner to do now. */
  isIdle(runner: FakeRunner): Promise<boolean>
  /** Runs the next job to its end. */
  run(name: string, outputs?: Record<string, string>, result?: Result): Promise<Task>
}

/** Creates a repository, or uses an existing one, with a runner that has the label `x`. */
export async function createTestWorkflows(
  site: Site,
  owner?: Person,
  existing?: { id: number; name: string },
): Promise<TestWorkflows> {
  const ada = owner ?? (await makePerson(site))
  const repository = existing ?? (await makeRepository(site.db, ada.account.id))
  const path = `/repos/${ada.name}/${repository.name}/actions`
  const addRunner = async (labels: string[]): Promise<FakeRunner> => {
    const { runner, secret } = await makeRunner(site, ada, {
      labels,
      capabilities: ['cancelling'],
      scope: { kind: 'repository', owner: ada.name, repo: repository.name },
    })
    return createFakeRunner(site, { identity: { uuid: runner.uuid, token: secret } })
  }
  const runner = await addRunner(['x'])
  const get = async (url: string) => (await call(site, 'GET', `${path}${url}`, { as: ada })).body
  const shown = ({ conclusion, status }: { conclusion?: string; status: string }) => conclusion ?? status
  const nameOf = async ({ id }: Task): Promise<string> => {
    const job = await site.db
      .selectFrom('workflow_tasks')
      .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
      .select('workflow_jobs.name')
      .where('workflow_tasks.id', '=', Number(id))
      .executeTakeFirstOrThrow()
    return job.name
  }
  const take = async (name?: string, from = runner) => {
    const task = await from.fetchTask()
    if (!task) throw new Error(`there is no task; expected one for ${name}`)
    const found = await nameOf(task)
    if (name !== undefined && found !== name) throw new Error(`the task is for ${found}, not for ${name}`)
    const held = from.take(task)
    // A runner cancels only what it has acknowledged.
    await held.report()
    return { ...held, context: (task.context ?? {}) as Record<string, unknown> }
  }
  const details = async (run: number) => (await get(`/runs/${run}/jobs?limit=50`)).jobs
  return {
    ada,
    repository,
    path,
    runner,
    addRunner,
    take,
    details,
    async start(workflow, rest = {}) {
      const { status, body } = await call(site, 'POST', `${path}/runs`, {
        as: ada,
        body: { workflow, ...rest },
      })
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body.id
    },
    async jobs(run) {
      return (await details(run)).map((job: { name: string; status: string }) => `${job.name}: ${shown(job)}`)
    },
    async isIdle(idle) {
      // Without a task, the request would be held for seconds.
      const task = await idle.fetchTask({ timeoutMs: 250 }).catch(() => undefined)
      return task === undefined
    },
    outcome: async run => shown(await get(`/runs/${run}`)),
    async run(name, outputs = {}, result = Result.SUCCESS) {
      const held = await take(name)
      await held.finish({ outputs, result })
      return held.task
    },
  }
}
