import { expect, it } from 'vitest'
import { taskIdOf } from './messages'

it('an id that no number holds exactly is that of no task', () => {
  expect([taskIdOf(7n), taskIdOf(2n ** 53n), taskIdOf(2n ** 63n - 1n)]).toEqual([7, 0, 0])
})
