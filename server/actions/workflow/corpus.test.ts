import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Group } from '@/db/tables/workflow-templates'
import { runWithoutStoring } from '@/testing/planned-runs'
import { expected, refused } from './corpus/expected'
import type { NewJob } from './first-jobs'
import { readWorkflow } from './read'
import { operations } from './thread/operations'

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

it.each(Object.entries(expected))(
  'the workflow %s means the same with a byte order mark and the line breaks of Windows',
  async (name, want) => {
    const document = await readFile(new URL(`${name}.yml`, folder), 'utf8')
    const [plain, other] = [document, `\ufeff---\n${document}`.replaceAll('\n', '\r\n')].map(async text => {
      const { plan, jobs, ended } = await runWithoutStoring(text, want)
      return [plan.title, plan.concurrency, ...[...jobs, ...ended].map(job => described(job, true))]
    })
    expect(await other).toEqual(await plain)
  },
)

it.each(Object.entries(expected))(
  'the runner gets each job of the workflow %s as the workflow says it',
  async (name, want) => {
    const document = await readFile(new URL(`${name}.yml`, folder), 'utf8')
    const asWritten = (text: string) => parse(text, { schema: 'failsafe' })
    const { env, defaults, jobs } = asWritten(document)
    for (const job of (await runWithoutStoring(document, want)).ended) {
      const text = operations.cut({ document, job, labels: job.labels, name: 'CI' })
      const cut = asWritten(text)
      expect(cut).toMatchObject({ ...(env && { env }), ...(defaults && { defaults }) })
      const { if: _, strategy: __, ...rest } = jobs[job.job_key]
      const runs = { ...rest, 'runs-on': job.labels, if: 'always()' }
      expect(cut.jobs[job.job_key]).toMatchObject(runs)
      const matrix = Object.entries(job.matrix ?? {}).map(([key, value]) => [key, [value]])
      if (job.matrix)
        expect(parse(text).jobs[job.job_key].strategy.matrix).toEqual(Object.fromEntries(matrix))
    }
  },
)
