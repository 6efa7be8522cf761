import { describe, expect, it } from 'vitest'
import { findProblems } from './problems'
import type { Health } from './schema'

const now = new Date('2026-05-01T12:00:00Z')
const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString()
const none = { count: 0, isMore: false, oldest: null }

const well: Omit<Health, 'problems'> = {
  version: '1.0.0',
  node: 'v22.0.0',
  started: ago(600),
  launcher: { pid: 1, restarts: 0, children: 0 },
  database: { kind: 'embedded', version: '17.0', bytes: 1 },
  data: { directory: '/data', free: 50e9, size: 100e9 },
  repositories: { directory: '/repositories', free: 50e9, size: 100e9 },
  objects: { kind: 'disk', disk: { directory: '/objects', free: 50e9, size: 100e9 } },
  queues: {
    webhooks: none,
    workflows: none,
    deliveries: none,
    failed_deliveries: none,
    jobs: none,
    pushes: 0,
  },
  shared_address: null,
  jobs: [
    {
      name: 'a.sweep',
      purpose: 'Sweeps',
      next: ago(-30),
      period_ms: 3_600_000,
      last: { started: ago(30), duration_ms: 5, outcome: 'done', message: '' },
    },
  ],
}
const found = (change: Partial<typeof well>, devices = new Map<string, number>()): string[] =>
  findProblems({ ...well, ...change }, devices, now).map(({ what }) => what)
const withLast = (last: Health['jobs'][number]['last']) => ({ jobs: [{ ...well.jobs[0]!, last }] })

describe('what is wrong', () => {
  it('is nothing where disks have room, queues are short and jobs ran', () => {
    expect(found({})).toEqual([])
  })

  it('is a launcher that is not running, where there should be one', () => {
    expect(found({ launcher: { pid: null, restarts: 3, children: 0 } })).toEqual([
      'The launcher, which starts git, is not running.',
    ])
    expect(found({ launcher: null })).toEqual([])
  })

  it('is a disk with less than a gigabyte, or a twentieth, left; once where directories share it', () => {
    const full = { directory: '/data', free: 4e9, size: 100e9 }
    const [other, moved] = [
      { ...full, directory: '/other' },
      { ...full, directory: '/moved', free: 3e9 },
    ]
    const devices = new Map([
      ['/data', 1],
      ['/other', 2],
      ['/moved', 1],
    ])
    const both = { data: full, repositories: other, objects: { kind: 'disk', disk: moved } } as const
    expect(found(both, devices)).toEqual([
      'The data directory is almost full.',
      'The repository directory is almost full.',
    ])
    expect(found({ repositories: full })).toEqual(['The repository directory is almost full.'])
    expect(found({ objects: { kind: 'disk', disk: { directory: '/o', free: 5e8, size: 1e9 } } })).toEqual([
      'The object store is almost full.',
    ])
    expect(found({ data: null, repositories: null, objects: { kind: 's3', disk: null } })).toEqual([])
  })

  it('is a queue whose first entry waits for too long, however long the queue is', () => {
    const since = (minutes: number) => ({ count: 1, isMore: false, oldest: ago(minutes) })
    const { queues } = well
    expect(
      found({ queues: { ...queues, webhooks: since(4), deliveries: since(14), jobs: since(29) } }),
    ).toEqual([])
    expect(
      found({
        queues: {
          ...queues,
          webhooks: since(6),
          workflows: since(6),
          deliveries: since(16),
          jobs: since(31),
        },
      }),
    ).toEqual([
      'Events have waited for more than 5 minutes.',
      'Webhook deliveries have been due for more than 15 minutes.',
      'A workflow job has waited for a runner for more than 30 minutes.',
    ])
  })

  it('is an address of many accounts, which may be that of a proxy', () => {
    expect(found({ shared_address: { address: '10.0.0.2', accounts: 1200 } })).toEqual([
      '1,200 accounts have signed in from one address, 10.0.0.2.',
    ])
  })

  it('is a job that failed, or that was not run in time by a process that had the time', () => {
    const last = { started: ago(30), duration_ms: 5, outcome: 'failed', message: 'no space left' } as const
    expect(findProblems({ ...well, ...withLast(last) }, new Map(), now)[0]).toEqual({
      what: 'The last run of a.sweep failed.',
      advice: expect.stringContaining('no space left'),
    })
    expect(found(withLast({ ...last, outcome: 'done', started: ago(300) }))).toEqual([
      'a.sweep has not ended a run for a long time.',
    ])
    expect(found(withLast(null))).toEqual(['a.sweep has not run yet.'])
    expect(found({ ...withLast(null), started: ago(60) })).toEqual([])
    expect(found(withLast({ ...last, outcome: 'stopped' }))).toEqual([])
  })
})
