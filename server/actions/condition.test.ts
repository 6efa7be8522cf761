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

it('the conditions of a run share one conversion of the data that they read', () => {
  let read = 0
  const payload = {
    get sender() {
      read++
      return { login: 'ada' }
    },
  }
  const runs = conditionsOf({ context: {} }, { payload })
  for (let number = 0; number < 100; number++) {
    expect(runs(jobWith(`github.event.sender.login == 'ada' && ${number} >= 0`), succeeded)).toBe('met')
  }
  expect(read).toBe(1)
})

it('conditions that together read more than the limit fail', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  const met = Array.from({ length: 1000 }, (_, number) =>
    runs(jobWith(`needs.a.outputs.long != '${number}'`), succeeded),
  )
  expect(new Set(met.slice(0, 40))).toEqual(new Set(['met']))
  expect(met.slice(50)).not.toContain('met')
})

it('data that functions search counts toward the limit', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  const met = Array.from({ length: 200 }, (_, number) =>
    runs(jobWith(`contains(needs.*.outputs.*, 'x') && ${number} >= 0`), succeeded),
  )
  expect(met[0]).toBe('met')
  expect(met.at(-1)).toMatchObject({ error: expect.stringContaining('read too much') })
})

it('a condition that many jobs share counts only once for each outcome of the jobs before them', () => {
  const runs = conditionsOf({ context: {} }, { outputs })
  for (let times = 0; times < 200; times++) {
    expect(runs(jobWith("needs.a.outputs.long != 'a'"), succeeded)).toBe('met')
    expect(runs(jobWith("needs.a.outputs.long != 'a'"), before('failure'))).toBe('met')
  }
})

it('conditions can read the matrix combination of their job, and gitea as another name of github', () => {
  const runs = conditionsOf({ context: { ref: 'refs/heads/main' } })
  const job = { ...jobWith("matrix.os == 'linux'"), matrix: { os: 'linux' } }
  expect(runs(job, succeeded)).toBe('met')
  expect(runs({ ...job, matrix: { os: 'windows' } }, succeeded)).toBe('unmet')
  for (const condition of [
    "gitea.ref == 'refs/heads/main'",
    "gitea['ref'] == github.ref",
    'toJSON(GITEA) == toJSON(github)',
  ])
    expect(runs(jobWith(condition), succeeded), condition).toBe('met')
})
