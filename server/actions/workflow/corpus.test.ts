import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Group } from '@/db/tables/workflow-templates'
import { runWithoutStoring } from '@/testing/planned-runs'
import { expected, refused } from './corpus/expected'
import type { NewJob } from './first-jobs'
import { readWorkflow } from './read'

const folder = new URL('./corpus/', import.meta.url)

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
    const { plan, jobs, ended } = await runWithoutStoring(document, want)
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
