import { makeRepository } from '@/db/testing/factories'
import type { JobRow, TaskRow } from '@/server/actions/job-store'
import { loadActions, loadJob, loadTask } from '@/server/actions/load'
import type { RunPlan } from '@/server/actions/run-plan'
import { startRun } from '@/server/actions/start-run'
import type { RunRow } from '@/server/actions/store'
import { finishTask, startTask } from '@/server/actions/tasks'
import { firstJobs, type PlannedJob } from '@/server/actions/workflow/first-jobs'
import { authenticateJob } from '@/server/auth/credentials/job-token'
import type { JobCtx, UserCtx } from '@/server/kernel/ctx'
import { jobContext } from '@/server/services'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** A running job with its task and the token that the job authenticates with. */
export interface TestJob {
  job: JobRow
  task: TaskRow
  token: string
}

/** A workflow run in a person's repository, with all its jobs running. */
export interface TestRun {
  ada: Person
  repository: { id: number; name: string }
  /** The API path of the repository, below `/api/v1`. */
  path: string
  run: RunRow
  jobs: [TestJob, ...TestJob[]]
}

interface Options {
  /** The IDs of the jobs in the workflow. Defaults to one job, `build`. */
  jobs?: readonly string[]
  isPrivate?: boolean
  /** An existing run, in whose repository to create this run. Defaults to a new repository. */
  alongside?: Pick<TestRun, 'ada' | 'repository'>
}

/** Creates a workflow run and starts all its jobs. */
export async function createTestRun(site: Site, options: Options = {}): Promise<TestRun> {
  const { jobs: keys = ['build'], isPrivate = false, alongside } = options
  const ada = alongside?.ada ?? (await makePerson(site))
  const repository =
    alongside?.repository ?? (await makeRepository(site.db, ada.account.id, { is_private: isPrivate }))
  const ctx = contextOf(site, ada)
  const names = { owner: ada.name, repo: repository.name }
  const { run, jobs } = await startPlanned(ctx, await loadActions(ctx, names, 'write'), {
    title: 'Test',
    workflow_path: 'test.yml',
    workflow_name: 'Test',
    event: 'workflow_dispatch',
    ref: 'refs/heads/main',
    sha: '',
    document: '',
    context: {},
    jobs: keys.map(key => planned(key)),
  })
  const started: TestJob[] = []
  for (const { id } of jobs) {
    const task = await startTask(ctx, await loadJob(ctx, { ...names, job_id: id }, 'write'))
    started.push({ ...task, job: (await loadJob(ctx, { ...names, job_id: id }, 'read')).job })
  }
  return {
    ada,
    repository,
    path: `/repos/${ada.name}/${repository.name}`,
    run,
    jobs: started as [TestJob, ...TestJob[]],
  }
}

/** A workflow run to start, with jobs whose status is not determined yet. */
export type Planned = Omit<RunPlan, 'jobs'> & { jobs: readonly PlannedJob[] }

/** Starts a workflow run from jobs that the test defines. Without a document, one is made from the jobs. */
export function startPlanned(
  ctx: UserCtx,
  found: Parameters<typeof startRun>[1],
  { jobs, document, ...plan }: Planned,
): ReturnType<typeof startRun> {
  const positioned = jobs.map((job, position) => ({ ...job, position }))
  const run = { ...plan, document: document || documentOf(jobs) }
  return startRun(ctx, found, { ...run, jobs: firstJobs(positioned, plan, plan) })
}

function documentOf(jobs: readonly PlannedJob[]): string {
  const own = jobs.map(({ job_key, needs, labels, condition, matrix, continue_on_error }) => [
    job_key,
    {
      needs,
      'runs-on': labels.length > 0 ? labels : { group: 'any' },
      ...(condition && { if: condition }),
      ...(matrix && {
        strategy: { matrix: { include: jobs.flatMap(job => (job.job_key === job_key ? job.matrix : [])) } },
      }),
      'continue-on-error': continue_on_error,
      steps: [{ run: 'true' }],
    },
  ])
  return JSON.stringify({ on: 'push', jobs: Object.fromEntries(own) })
}

/** Returns a job without a matrix that any runner can run. */
export const planned = (key: string, change: Partial<PlannedJob> = {}): PlannedJob => ({
  job_key: key,
  matrix: null,
  name: key,
  needs: [],
  labels: ['ubuntu-latest'],
  condition: '',
  continue_on_error: false,
  position: 0,
  runner_group: null,
  fail_fast: false,
  max_parallel: null,
  concurrency: null,
  call: null,
  template: null,
  permissions: null,
  ...change,
})

/** Finishes the task of a job, which invalidates the job's token. */
export async function endTestJob(
  site: Site,
  { ada, repository }: Pick<TestRun, 'ada' | 'repository'>,
  { task }: TestJob,
  conclusion: 'success' | 'failure' = 'success',
): Promise<void> {
  const ctx = contextOf(site, ada)
  const path = { owner: ada.name, repo: repository.name, task_id: task.id }
  await finishTask(ctx, await loadTask(ctx, path, 'write'), conclusion)
}

/** Returns the context for operations that a job performs with its token. */
export function jobCtx(site: Site, { token }: TestJob): Promise<JobCtx> {
  return authenticateJob(jobContext(site.services, 'test'), `Bearer ${token}`)
}

/** Returns the context for operations that a person performs. */
export function contextOf(site: Site, { account, stamp }: Person): UserCtx {
  const credential = { kind: 'password', stamp } as const
  return { ...jobContext(site.services, 'test'), caller: { kind: 'user', user: account, credential } }
}
