import { expect, it } from 'vitest'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { planned } from '@/testing/actions'
import { conditionsOf } from './condition'
import type { Before } from './status'

const jobWith = (condition: string) =>
  ({ ...planned('b', { needs: ['a'], condition }), status: 'waiting', conclusion: null }) as const
const before = (result: RunConclusion): Before => ({
  results: new Map([['a', result]]),
  haveSucceeded: result === 'success',
  haveFailed: result === 'failure',
})
const succeeded = before('success')
const outputs = new Map([['a', { long: 'x'.repeat(1024 * 1024), short: 'x' }]])

it('what conditions read is taken from the run once, however many they are', () => {
  let read = 0
  const payload = {
    get sender() {
      read++
      return { login: 'ada' }
    },
  }
  const runs = conditionsOf({ context: {} }, { payload })
  for (let number = 0; number < 100; number++) {
    expect(runs(jobWith(`github.event.sender.login == 'ada' && ${number} >= 0`), succeeded)).toBe(true)
  }
  expect(read).toBe(1)
})

it('conditions that together read more than can be read in a moment are not met', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  const met = Array.from({ length: 1000 }, (_, number) =>
    runs(jobWith(`needs.a.outputs.long != '${number}'`), succeeded),
  )
  expect(met.slice(0, 40)).not.toContain(false)
  expect(met.slice(50)).not.toContain(true)
})

it('what functions search counts as well', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  const met = Array.from({ length: 200 }, (_, number) =>
    runs(jobWith(`contains(needs.*.outputs.*, 'x') && ${number} >= 0`), succeeded),
  )
  expect(met[0]).toBe(true)
  expect(met.at(-1)).toBe(false)
})

it('a condition of many jobs counts once for each way in which the jobs before can end', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  for (let times = 0; times < 200; times++) {
    expect(runs(jobWith("needs.a.outputs.long != 'a'"), succeeded)).toBe(true)
    expect(runs(jobWith("needs.a.outputs.long != 'a'"), before('failure'))).toBe(true)
  }
})
