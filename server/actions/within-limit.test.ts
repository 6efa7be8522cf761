import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { withinLimit } from './within-limit'
import { maxJobs, maxMatrixJobs } from './workflow/run-limits'

const waiting = (key: string, position: number, parent_position: number | null = null) => ({
  ...planned(key),
  position,
  parent_position,
  status: 'waiting' as const,
  conclusion: null,
  end_reason: null,
  end_message: '',
})

const combinations = (key: string, count: number, parent_position: number | null = null) =>
  Array.from({ length: count }, (_, at) => waiting(key, at + 1, parent_position))

it('only the matrix with which a run would have too many jobs fails, not those before it', () => {
  const jobs = Array.from({ length: maxJobs - maxMatrixJobs }, (_, at) => waiting(`j${at}`, at))
  const [first, second] = [combinations('a', maxMatrixJobs), combinations('b', 1)]
  const changed = [waiting('a', 0), waiting('b', 256)]
  expect(withinLimit(jobs, { changed, added: [...first, ...second] })).toEqual({
    changed: [
      waiting('a', 0),
      expect.objectContaining({
        status: 'completed',
        conclusion: 'failure',
        end_message: 'The run would have more than 1000 jobs.',
      }),
    ],
    added: first,
  })
})

it('a job of another workflow in the run with the same ID as such a matrix goes on', () => {
  const jobs = Array.from({ length: maxJobs }, (_, at) => waiting(`j${at}`, at))
  const changed = [waiting('a', 0, 7), waiting('a', 512)]
  const { changed: after, added } = withinLimit(jobs, { changed, added: combinations('a', 2, 7) })
  expect(after.map(({ conclusion }) => conclusion)).toEqual(['failure', null])
  expect(added).toEqual([])
})
