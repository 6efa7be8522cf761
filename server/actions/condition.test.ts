import { describe, expect, it } from 'vitest'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { Template } from '@/db/tables/workflow-templates'
import { planned } from '@/testing/actions'
import { conditionsOf, decisionsOf } from './condition'
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

describe('a job with a matrix from an output', () => {
  const matrix = { expression: 'fromJSON(needs.a.outputs.matrix)' }
  const job = {
    ...jobWith(''),
    template: { strategy: { entries: [['matrix', matrix] as [string, Template]] }, runsOn: { value: 'x' } },
  }
  const decide = (output: string) =>
    decisionsOf<typeof job>({ context: {} }, { outputs: new Map([['a', { matrix: output }]]) })(
      job,
      succeeded,
    )

  it.each([
    ['a NUL character', '\\u0000'],
    ['half of a character', '\\ud800'],
  ])('can be stored if its keys or a message contain %s', (_, char) => {
    const stored = ({ rows }: { rows: readonly { matrix: unknown }[] }) => rows.map(each => each.matrix)
    const included = decide(`{ "include": [{ "k${char}": { "in${char}": 1 } }] }`)
    const [found] = 'rows' in Object(included) ? stored(included as Parameters<typeof stored>[0]) : []
    expect(Object.keys(Object(found))[0]?.isWellFormed()).toBe(true)
    expect(JSON.stringify(included)).not.toMatch(/\\u/)
    const refused = decide(`{ "os": [1], "exclude": [{ "k${char}": 1 }] }`)
    expect(refused).toMatchObject({ end: 'failure', message: expect.stringContaining("has the key 'k") })
    expect(JSON.stringify(refused)).not.toMatch(/\\u/)
  })

  it('fails if values are nested deeper than the database or the thread that cuts workflows can take', () => {
    const nested = (levels: number) => `{ "os": [${'['.repeat(levels)}${']'.repeat(levels)}] }`
    expect(decide(nested(50))).toHaveProperty('rows')
    const message = expect.stringContaining("'fromJson' reads at most 100 levels of nesting")
    expect(decide(nested(1500))).toMatchObject({ end: 'failure', message })
  })

  it('counts JSON for the time that reading takes, but only once if many jobs read the same text', () => {
    const long = (length: number) =>
      `{ "os": [1], "include": [${'{ "os": 1, "b": 2 }, '.repeat(length)}{ "os": 1 }] }`
    expect(decide(long(10_000))).toMatchObject({
      end: 'failure',
      message: expect.stringContaining('read too much'),
    })
    const text = `[${'0, '.repeat(30_000)}1]`
    const known = { outputs: new Map([['a', { text }]]) }
    const runs = conditionsOf({ context: {} }, known)
    for (let index = 0; index < 100; index++)
      expect(runs(jobWith(`fromJSON(needs.a.outputs.text)[${index}] == 0`), succeeded)).toBe('met')
  })
})
