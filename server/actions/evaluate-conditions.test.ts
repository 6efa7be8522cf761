import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { createConditions } from './evaluate-conditions'
import { selectJobs } from './job-store'
import { releaseInRounds } from './release'

const site = useSite()

it('createConditions loads outputs only for jobs that need them and whose condition is about to be evaluated', async () => {
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('huge'),
    planned('lint'),
    planned('free', { needs: ['build'], condition: "needs.build.outputs.key == 'build'" }),
    planned('result', { needs: ['huge'], condition: "needs.huge.result == 'failure'" }),
    planned('later', { needs: ['huge', 'lint'], condition: 'toJSON(needs)' }),
  ])
  const { run: row } = await run.found()
  const jobs = (await selectJobs(site.db, row.id, 1)).map(job => ({
    ...job,
    ...(['build', 'huge'].includes(job.job_key) && {
      status: 'completed' as const,
      conclusion: 'success' as const,
    }),
  }))
  for (const { id, job_key } of jobs.slice(0, 2)) {
    await site.db
      .insertInto('workflow_job_outputs')
      .values({ job_id: id, name: 'key', value: job_key })
      .execute()
  }
  const read: unknown[] = []
  const spy: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.push(...result.rows)
      return result
    },
  }
  const conditions = await createConditions(site.db.withPlugin(spy), row, jobs)
  const rounds = releaseInRounds(jobs, conditions.decide)
  let round = rounds.next()
  while (!round.done) {
    await conditions.prepare(round.value)
    round = rounds.next()
  }
  expect(round.value.changed.map(({ job_key, status }) => [job_key, status])).toEqual([
    ['free', 'queued'],
    ['result', 'completed'],
  ])
  const output = (job_key: string) => ({ job_key, parent_position: null, name: 'key', value: job_key })
  expect(read).toContainEqual(output('build'))
  expect(read).not.toContainEqual(output('huge'))
})
