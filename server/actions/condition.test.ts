import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { conditionsOf } from './condition'

it('a condition of many jobs is evaluated once for each way in which the jobs before can end', () => {
  const job = {
    ...planned('b', { needs: ['a'], condition: "github.ref == 'x' || failure()" }),
    status: 'waiting',
    conclusion: null,
  } as const
  let evaluated = 0
  const context = {
    get ref() {
      evaluated++
      return 'refs/heads/main'
    },
  }
  const runs = conditionsOf({ context })
  for (let times = 0; times < 100; times++) {
    expect(runs(job, new Map([['a', 'failure']]))).toBe(true)
    expect(runs(job, new Map([['a', 'success']]))).toBe(false)
  }
  const evaluatedByMany = evaluated
  const alone = conditionsOf({ context })
  alone(job, new Map([['a', 'failure']]))
  alone(job, new Map([['a', 'success']]))
  expect(evaluatedByMany).toBe(evaluated - evaluatedByMany)
  expect(evaluatedByMany).toBeGreaterThan(0)
})
