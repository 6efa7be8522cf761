import { makeRepository } from '@/db/testing/factories'
import type { JobRow, TaskRow } from '@/server/actions/job-store'
import { loadActions, loadJob, loadTask } from '@/server/actions/load'
import { type RunPlan, startRun } from '@/server/actions/start-run'
import type { RunRow } from '@/server/actions/store'
import { finishTask, startTask } from '@/server/actions/tasks'
import { firstJobs, type PlannedJob } from '@/server/actions/workflow/first-jobs'
import { authenticateJob } from '@/server/auth/credentials/job-token'
import type { JobCtx, UserCtx } from '@/server/kernel/ctx'
import { jobContext } from '@/server/services'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** A job that runs, and the token that it authenticates with. */
export interface TestJob {
  job: JobRow
  task: TaskRow
  token: string
}

/** A run of a workflow in a person's repository, with every job running. */
export interface TestRun {
  ada: Person
  repository: { id: number; name: string }
  /** Of the repository, below /api/v1. */
  path: string
  run: RunRow
  jobs: [TestJob, ...TestJob[]]
}

interface Options {
  /** The ids of its jobs; one, `build`, by default. */
  jobs?: readonly string[]
  isPrivate?: boolean
  /** Of a run whose repository this run is in as well. */
  alongside?: Pick<TestRun, 'ada' | 'repository'>
}

/** Makes a run whose jobs have been started, in a new repository unless told otherwise. */
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

/** A run whose jobs have no status yet. */
export type Planned = Omit<RunPlan, 'jobs'> & { jobs: readonly PlannedJob[] }

/** Starts a run without a workflow, of jobs that were planned by hand. */
export const startPlanned = (
  ctx: UserCtx,
  found: Parameters<typeof startRun>[1],
  { jobs, ...plan }: Planned,
): ReturnType<typeof startRun> => startRun(ctx, found, { ...plan, jobs: firstJobs(jobs, plan, plan) })

/** Plans a job without a matrix that any runner can run. */
export const planned = (key: string, change: Partial<PlannedJob> = {}): PlannedJob => ({
  job_key: key,
  matrix: null,
  name: key,
  needs: [],
  labels: ['ubuntu-latest'],
  condition: '',
  continue_on_error: false,
  ...change,
})

/** Ends the task of a job, after which its token is not valid anymore. */
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

/** The context of verbs that a job calls with its token. */
export function jobCtx(site: Site, { token }: TestJob): Promise<JobCtx> {
  return authenticateJob(jobContext(site.services, 'test'), `Bearer ${token}`)
}

/** The context of verbs that a person calls. */
export function contextOf(site: Site, { account, stamp }: Person): UserCtx {
  const credential = { kind: 'password', stamp } as const
  return { ...jobContext(site.services, 'test'), caller: { kind: 'user', user: account, credential } }
}
