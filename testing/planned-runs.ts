import { decisionsOf } from '@/server/actions/condition'
import { evaluateLater } from '@/server/actions/evaluate-later'
import { contextOfRun, githubContext } from '@/server/actions/github-context'
import { releaseInRounds } from '@/server/actions/release'
import type { Expected } from '@/server/actions/workflow/corpus/expected'
import type { NewJob } from '@/server/actions/workflow/first-jobs'
import { operations } from '@/server/actions/workflow/thread/operations'

/** How to start and complete a run. */
export type RunOptions = Pick<Expected, 'start' | 'results'>

const sha = 'f00dfeed'.repeat(5)
const commit = { id: sha, message: 'Fix the parser', author: { name: 'Ada' } }
const payload = {
  ref: 'refs/heads/main',
  created: false,
  forced: false,
  head_commit: commit,
  commits: [commit],
  pusher: { name: 'ada' },
  repository: { name: 'tool', default_branch: 'main' },
  release: { tag_name: 'v1.2.0', prerelease: false },
}
const vars = { RUNNER: '["self-hosted", "linux"]', REGION: 'eu-west-1' }
const stored = { id: 7041, number: 12 }

/**
 * Starts run 12 of a workflow without storing it, and completes it. Jobs get their concurrency groups at once.
 * Throws if the workflow is invalid.
 */
export async function runWithoutStoring(document: string, { start = {}, results = {} }: RunOptions) {
  const ref = start.ref ?? 'refs/heads/main'
  const event = start.event ?? 'push'
  const about = { ref, sha, event, actor: { id: 3, name: 'ada' }, path: '.gitea/workflows/a.yml' }
  const context = githubContext(
    { baseUrl: 'https://forge.example.com', artifactRetentionDays: 90 },
    { repository: { id: 5, name: 'tool' }, owner: { id: 4, name: 'acme' } } as Parameters<
      typeof githubContext
    >[1],
    about,
  )
  const known = { payload: { ...payload, ...start.payload }, vars }
  const planned = await operations.plan({ document, path: about.path, context, start: known })
  const workflow_name = planned.name || about.path
  const { inputs } = planned
  const plan = evaluateLater(
    { ...about, ...known, ...planned, context, workflow_path: about.path, workflow_name, document },
    stored,
  )
  if (plan.error) throw new Error(plan.error)
  const facts = { context: contextOfRun({ ...stored, context, attempt: 1, workflow_name }) }
  const outputs = new Map(Object.entries(results).map(([key, { outputs }]) => [key, outputs ?? {}]))
  const decide = decisionsOf<NewJob>(facts, { ...known, inputs, outputs })
  const begun = released(plan.jobs, decide)
  let jobs = begun
  while (jobs.some(({ status }) => status === 'queued')) {
    const completed = jobs.map(job => {
      if (job.status !== 'queued') return job
      const conclusion = results[job.job_key]?.fails ? ('failure' as const) : ('success' as const)
      return { ...job, status: 'completed' as const, conclusion }
    })
    jobs = released(completed, decide)
  }
  return { plan, jobs: begun, ended: jobs }
}

function released(jobs: readonly NewJob[], decide: ReturnType<typeof decisionsOf<NewJob>>): NewJob[] {
  const rounds = releaseInRounds(jobs, decide)
  let round = rounds.next()
  while (!round.done) round = rounds.next()
  const { changed, added } = round.value
  const byPosition = new Map(changed.map(job => [job.position, job]))
  return [...jobs.map(job => byPosition.get(job.position) ?? job), ...added].sort(
    (a, b) => a.position - b.position,
  )
}
