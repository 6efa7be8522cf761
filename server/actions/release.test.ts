import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { type Releasable, releaseInRounds } from './release'

const waiting = (key: string, needs: string[] = [], done?: 'success' | 'failure') => ({
  ...planned(key, { needs }),
  status: done ? ('completed' as const) : ('waiting' as const),
  conclusion: done ?? null,
  end_reason: null,
  end_message: '',
})

const skipped = { end: 'skipped', reason: 'condition', message: '' } as const

function released(jobs: readonly Releasable[], runs: (key: string) => boolean) {
  const rounds = releaseInRounds(
    jobs.map((job, position) => ({ ...job, position })),
    ({ job_key }) => (runs(job_key) ? 'run' : skipped),
  )
  const evaluated: string[][] = []
  let round = rounds.next()
  while (!round.done) {
    if (round.value.length > 0) evaluated.push(round.value.map(job => job.job_key))
    round = rounds.next()
  }
  return { evaluated, states: round.value.changed.map(job => `${job.job_key} ${job.status}`) }
}

it("a job's condition is evaluated once all jobs that it needs have completed, even if some of them are skipped meanwhile", () => {
  const jobs = [
    waiting('done', [], 'success'),
    waiting('a', ['done']),
    waiting('b', ['a', 'done']),
    waiting('c', ['a']),
    waiting('d', ['b', 'c']),
    waiting('never', ['nothing']),
  ]
  expect(released(jobs, key => key === 'c')).toEqual({
    evaluated: [['a'], ['b', 'c']],
    states: ['a completed', 'b completed', 'c queued'],
  })
})

it('other work can be done before each job that is evaluated', () => {
  const jobs = Array.from({ length: 50 }, (_, position) => ({ ...waiting(`j${position}`), position }))
  let decided = 0
  const rounds = releaseInRounds(jobs, () => {
    decided++
    return 'run'
  })
  const between = new Set<number>()
  while (!rounds.next().done) between.add(decided)
  expect(between.size).toBe(50)
})

it('a job that needs a matrix waits for all jobs of the matrix', () => {
  const jobs = [waiting('m'), { ...waiting('m'), status: 'in_progress' as const }, waiting('next', ['m'])]
  expect(released(jobs, () => false).states).toEqual(['m completed'])
  expect(released([waiting('m'), waiting('m'), waiting('next', ['m'])], () => false).states).toHaveLength(3)
})

it('skipping a chain of a thousand jobs takes no longer than skipping a thousand independent jobs', () => {
  const chain = Array.from({ length: 1000 }, (_, at) => waiting(`j${at}`, at ? [`j${at - 1}`] : []))
  const apart = Array.from({ length: 1000 }, (_, at) => waiting(`j${at}`, []))
  const timeOf = (jobs: typeof chain): number => {
    const begun = performance.now()
    expect(released(jobs, () => false).states).toHaveLength(1000)
    return performance.now() - begun
  }
  const best = (jobs: typeof chain): number => Math.min(...Array.from({ length: 10 }, () => timeOf(jobs)))
  // Work for every pair of jobs would take a hundred times as long.
  expect(best(chain)).toBeLessThan(30 * best(apart))
})
