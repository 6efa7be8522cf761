import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { conditionsOf } from './condition'

it('a long condition of many jobs is evaluated once for each way in which the jobs before can end', () => {
  const condition = `${"github.ref == 'x' || ".repeat(180)} failure()`
  const job = { ...planned('b', { needs: ['a'], condition }), status: 'waiting', conclusion: null } as const
  const runs = conditionsOf({ context: { ref: 'refs/heads/main' } })
  const began = performance.now()
  for (let times = 0; times < 5000; times++) {
    expect(runs(job, new Map([['a', 'failure']]))).toBe(true)
    expect(runs(job, new Map([['a', 'success']]))).toBe(false)
  }
  expect(performance.now() - began).toBeLessThan(2000)
})
