import { describe, expect, it } from 'vitest'
import type { ShownJob } from '@/server/actions/runs/schema'
import { callText, countText, durationOf, durationText, reasonOf, shortEndOf } from './progress'

const job = (key: string, rest: Partial<ShownJob> = {}): ShownJob => ({
  id: 1,
  key,
  name: key,
  attempt: 1,
  needs: [],
  labels: [],
  end_reason: null,
  end_text: null,
  has_unknown_labels: false,
  runner_group: null,
  concurrency: null,
  hold: null,
  workflow: null,
  depth: 0,
  uses: null,
  called: null,
  status: 'completed',
  conclusion: 'success',
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  completed_at: null,
  ...rest,
})

describe('durationText and durationOf', () => {
  it.each([
    [0, '0s'],
    [59.4, '59s'],
    [60, '1m'],
    [63, '1m 3s'],
    [3600, '1h'],
    [3661, '1h 1m'],
    [3605, '1h'],
    [90_000, '1d 1h'],
    [-5, '0s'],
  ])('show %d seconds as %s', (seconds, words) => {
    expect(durationText(seconds)).toBe(words)
  })

  it('return nothing for a job that never ran', () => {
    expect(durationOf(job('a', { completed_at: '2026-01-01T00:00:09Z' }))).toBeUndefined()
  })
})

describe('reasonOf', () => {
  const running = job('build', { status: 'in_progress', conclusion: null })
  const failed = job('test', { conclusion: 'failure' })

  it('names the labels that a runner must have', () => {
    const queued = job('a', { status: 'queued', conclusion: null, labels: ['linux', 'x64'] })
    expect(reasonOf(queued, [queued])).toBe('Waiting for a runner with linux and x64')
  })

  it('names only the needed jobs that are not completed', () => {
    const waiting = job('deploy', { status: 'waiting', conclusion: null, needs: ['lint', 'build'] })
    expect(reasonOf(waiting, [job('lint'), running, waiting])).toBe('Waiting for build')
  })

  it('names the needed jobs that did not succeed', () => {
    const skipped = job('deploy', { conclusion: 'skipped', needs: ['lint', 'test'] })
    expect(reasonOf(skipped, [job('lint'), failed, skipped])).toBe('Skipped because test didn’t succeed')
  })

  it('returns no reason for a job that runs or ran', () => {
    expect([running, failed].map(one => reasonOf(one, []))).toEqual([undefined, undefined])
  })

  it('countText counts jobs by outcome, worst first', () => {
    expect(countText([job('lint'), failed, job('a'), running])).toBe('1 failed, 1 running, 2 succeeded')
  })
})

describe('shortEndOf', () => {
  const ended = (rest: Partial<ShownJob>) => shortEndOf(job('a', { conclusion: 'failure', ...rest }))

  it('says why a job failed or was canceled without a report', () => {
    expect(ended({ end_reason: 'runner_silent', end_text: 'The runner stopped responding.' })).toBe(
      'The runner stopped responding',
    )
    const replaced = { end_reason: 'replaced', end_text: 'Replaced by run #2.' } as const
    expect(ended({ conclusion: 'cancelled', ...replaced })).toBe('Replaced by run #2')
  })

  it('shortens a long message', () => {
    const text = `line 3, column 5: ${'x'.repeat(500)}`
    expect(ended({ end_reason: 'evaluation', end_text: text })).toBe(`${text.slice(0, 139)}…`)
  })

  it('returns nothing for a job that reported its end, was skipped, or was canceled with its run', () => {
    expect(ended({})).toBeUndefined()
    const skipped = { end_reason: 'condition', end_text: 'The condition `false` was false.' } as const
    expect(ended({ conclusion: 'skipped', ...skipped })).toBeUndefined()
    const canceled = { end_reason: 'cancelled', end_text: 'The run was canceled.' } as const
    expect(ended({ conclusion: 'cancelled', ...canceled })).toBeUndefined()
  })
})

it('callText counts the jobs of a called workflow, and of those that it calls', () => {
  const call = { uses: './.gitea/workflows/b.yml', status: 'waiting', conclusion: null } as const
  const caller = job('call', { ...call, called: 1 })
  const jobs = [
    caller,
    job('one', { workflow: 1, depth: 1 }),
    job('two', { ...call, workflow: 1, depth: 1, called: 2 }),
    job('deep', { workflow: 2, depth: 2, status: 'queued', conclusion: null }),
    job('other', { status: 'queued', conclusion: null }),
  ]
  expect(callText(caller, jobs)).toBe('Its jobs: 1 queued, 1 succeeded')
  expect(callText(job('other'), jobs)).toBeUndefined()
})
