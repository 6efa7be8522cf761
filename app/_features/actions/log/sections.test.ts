import { describe, expect, it } from 'vitest'
import type { ShownStep } from '@/server/actions/runs/schema'
import { sectionsOf } from './sections'

const step = (log_index: number, log_length: number, rest: Partial<ShownStep> = {}): ShownStep => ({
  name: 'make',
  status: 'completed',
  conclusion: 'success',
  started_at: '2026-01-01T00:00:00Z',
  completed_at: '2026-01-01T00:00:05Z',
  log_index,
  log_length,
  ...rest,
})
const queued = step(0, 0, { status: 'queued', conclusion: null, started_at: null, completed_at: null })
const running = { status: 'in_progress', conclusion: null, completed_at: null } as const
const ended = { status: 'completed', conclusion: 'success' } as const
const times = { started_at: '2026-01-01T00:00:00Z', ended_at: null }

const rowsOf = (job: Parameters<typeof sectionsOf>[0], steps: ShownStep[], rows: number) =>
  sectionsOf(job, { ...times, steps }, rows).map(({ from, to, isGrowing }) => [from, to, isGrowing])

describe('sectionsOf', () => {
  it('includes the rows before, between, and after the steps', () => {
    expect(rowsOf(ended, [step(5, 3), step(10, 2)], 15)).toEqual([
      [0, 5, false],
      [5, 10, false],
      [10, 12, false],
      [12, 15, false],
    ])
  })

  it('lets the running step grow beyond the rows reported for it', () => {
    const job = { status: 'in_progress', conclusion: null } as const
    expect(rowsOf(job, [queued, queued], 4)).toEqual([
      [0, 4, true],
      [4, 4, false],
      [4, 4, false],
    ])
    expect(rowsOf(job, [step(5, 3), step(8, 1, running), queued], 15)).toEqual([
      [0, 5, false],
      [5, 8, false],
      [8, 15, true],
      [15, 15, false],
    ])
    expect(rowsOf(job, [step(5, 3), queued], 9)).toEqual([
      [0, 5, false],
      [5, 9, true],
      [9, 9, false],
    ])
    expect(rowsOf(job, [step(5, 3)], 9).slice(1)).toEqual([
      [5, 8, false],
      [8, 9, true],
    ])
  })

  it('assigns no rows to a skipped step', () => {
    const skipped = step(0, 0, { conclusion: 'skipped', started_at: null })
    expect(rowsOf(ended, [step(2, 2), skipped, step(4, 2)], 6)).toEqual([
      [0, 2, false],
      [2, 4, false],
      [4, 4, false],
      [4, 6, false],
      [6, 6, false],
    ])
  })

  it('assigns all rows to the set-up if no step started', () => {
    const failed = { status: 'completed', conclusion: 'failure' } as const
    const [setUp, ...others] = sectionsOf(failed, { ...times, steps: [queued] }, 3)
    expect(setUp).toMatchObject({ from: 0, to: 3, conclusion: 'failure' })
    expect(others).toMatchObject([{ from: 3, to: 3 }])
  })

  it.each([[[step(50, 3), step(2, 100)]], [[step(1e15, 1e15)]], [[step(3, 0), step(1, 1)]]])(
    'assigns every row once, whatever a runner reports',
    steps => {
      for (const job of [ended, { status: 'in_progress', conclusion: null } as const]) {
        const sections = sectionsOf(job, { ...times, steps }, 10)
        expect(sections[0]?.from).toBe(0)
        expect(sections.at(-1)?.to).toBe(10)
        sections.slice(1).forEach(({ from, to }, at) => {
          expect(from).toBe(sections[at]?.to)
          expect(to).toBeGreaterThanOrEqual(from)
        })
      }
    },
  )
})
