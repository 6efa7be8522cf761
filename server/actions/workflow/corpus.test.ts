import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Group } from '@/db/tables/workflow-templates'
import { decisionsOf } from '../condition'
import { evaluateLater } from '../evaluate-later'
import { contextOfRun, githubContext } from '../github-context'
import { releaseInRounds } from '../release'
import { type Expected, expected, refused } from './corpus/expected'
import type { NewJob } from './first-jobs'
import { readWorkflow } from './read'
import { operations } from './thread/operations'

const folder = new URL('./corpus/', import.meta.url)
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

/** Starts a run of a workflow as `startRun` does, without storing it, and completes it. */
async function run(document: string, { start = {}, results = {} }: Expected) {
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
  expect(plan.error).toBeUndefined()
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

const groupText = ({ name, cancels, queues }: Group): string =>
  [name, cancels && 'replacing', queues && 'in line'].filter(Boolean).join(', ')

function described(job: NewJob, withNeeds: boolean): string {
  const { runner_group, labels, needs, concurrency } = job
  const routing = [...(runner_group ? [`group ${runner_group}`] : []), ...labels].join(', ')
  const after = withNeeds && needs.length > 0 ? ` after ${needs.join(', ')}` : ''
  const settings = [
    job.continue_on_error && 'may fail',
    job.matrix && !job.fail_fast && 'all run',
    job.max_parallel && `at most ${job.max_parallel}`,
    concurrency && `in group ${groupText(concurrency)}`,
  ]
  const status = [job.conclusion ?? job.status, ...settings].filter(Boolean).join(', ')
  return `${job.job_key}: ${job.name} [${routing}]${after} ${status}`
}

it('the corpus has an expectation for each of its workflows', () => {
  const names = readdirSync(folder).filter(name => name.endsWith('.yml'))
  const known = Object.keys({ ...expected, ...refused })
  expect(names.sort()).toEqual(known.map(name => `${name}.yml`).sort())
})

it.each(Object.entries(refused))('the workflow %s is refused', async (name, message) => {
  const document = await readFile(new URL(`${name}.yml`, folder), 'utf8')
  await expect(readWorkflow(document)).rejects.toThrow(message)
})

it.each(Object.entries(expected))(
  'the workflow %s starts, runs, and is shown as on GitHub',
  async (name, want) => {
    const document = await readFile(new URL(`${name}.yml`, folder), 'utf8')
    const { plan, jobs, ended } = await run(document, want)
    const { events } = await readWorkflow(document)
    const starting = [...events.filters.keys(), ...(events.schedules.length > 0 ? ['schedule'] : [])]
    expect(starting.sort()).toEqual(want.events)
    expect(jobs.map(job => described(job, true))).toEqual(want.jobs)
    expect(plan.title).toBe(want.title ?? '')
    expect(plan.concurrency ? groupText(plan.concurrency) : undefined).toBe(want.group)
    expect(plan.warnings).toEqual((want.warnings ?? []).map(text => expect.stringContaining(text)))
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([])
    if (want.ends) expect(ended.map(job => described(job, false))).toEqual(want.ends)
  },
)
