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
  processes: { running: 2, wanted: 2, memory: 1e9, restarts: 0 },
  launchers: { stopped: 0, restarts: 0, children: 0 },
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
  backups: null,
  read_only: false,
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

describe('findProblems', () => {
  it('returns nothing if disks have space, queues are short and jobs have run', () => {
    expect(found({})).toEqual([])
  })

  it('reports that fewer server processes run than should, as long as another one is starting', () => {
    const processes = { running: 1, wanted: 2, memory: 1e9, restarts: 3 }
    expect(found({ processes })).toEqual(['Only 1 of 2 server processes are running.'])
  })

  it('reports a launcher that is not running, but not the absence of a launcher', () => {
    expect(found({ launchers: { stopped: 1, restarts: 3, children: 0 } })).toEqual([
      'The launcher, which starts Git, is not running.',
    ])
    expect(found({ launchers: null })).toEqual([])
  })

  it('reports a disk with less than 1 GiB or 5% free, and only once if directories share it', () => {
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

  it('reports a queue whose oldest entry has waited too long, regardless of the queue’s length', () => {
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
      'Events have been waiting for more than 5 minutes.',
      'Webhook deliveries have been overdue for more than 15 minutes.',
      'A workflow job has been waiting for a runner for more than 30 minutes.',
    ])
  })

  it('reports a failed backup, and one that is older than twice the interval', () => {
    const schedule = { to: '/backups', every_ms: 3_600_000, keep: 7 }
    const complete = (minutes: number) => ({ started: ago(minutes), size: 1, copied: 1 })
    const last = { started: ago(5), duration_ms: 1, outcome: 'failed', message: 'no space left' } as const
    const backups = { schedule, running: null, complete: complete(119), last: null }
    expect(found({ backups })).toEqual([])
    expect(found({ backups: { ...backups, last } })).toEqual(['The last backup failed.'])
    expect(found({ backups: { ...backups, complete: complete(121) } })).toEqual([
      'The last complete backup is too old.',
    ])
    expect(found({ backups: { ...backups, complete: null } })).toEqual(['There is no complete backup yet.'])
    expect(found({ backups: { ...backups, complete: null }, started: ago(119) })).toEqual([])
    expect(found({ backups: { ...backups, schedule: null, complete: complete(9999) } })).toEqual([])
  })

  it('reports a failed backup once, with its message as a sentence', () => {
    const schedule = { to: '/backups', every_ms: 3_600_000, keep: 7 }
    const message = 'The site lacks data: the object 1 is missing.'
    const last = { started: ago(5), duration_ms: 1, outcome: 'failed', message } as const
    const backups = { schedule, running: null, complete: null, last }
    const jobs = [{ ...well.jobs[0]!, name: 'backups.run', last }]
    expect(findProblems({ ...well, backups, jobs, started: ago(60) }, new Map(), now)).toEqual([
      {
        what: 'The last backup failed.',
        advice: `Error: ${message} It is repeated on schedule, or after 15 minutes if none was made.`,
      },
    ])
    expect(found({ jobs })).toEqual(['The last run of backups.run failed.'])
  })

  it('reports of a read-only site only that, not the background work that has stopped because of it', () => {
    const queue = { count: 5, isMore: false, oldest: ago(600) }
    const queues = { ...well.queues, webhooks: queue, deliveries: queue, jobs: queue }
    const last = { started: ago(600), duration_ms: 5, outcome: 'done', message: '' } as const
    const schedule = { to: '/backups', every_ms: 3_600_000, keep: 7 }
    const backups = { schedule, running: null, complete: null, last: null }
    expect(found({ read_only: true, queues, backups, ...withLast(last) })).toEqual([
      'This site is read-only.',
    ])
  })

  it('reports an address from which many accounts signed in, which may be a proxy', () => {
    expect(found({ shared_address: { address: '10.0.0.2', accounts: 1200 } })).toEqual([
      '1,200 accounts have signed in from the same address, 10.0.0.2.',
    ])
  })

  it('reports a job that failed or is overdue, unless the process only just started', () => {
    const last = { started: ago(30), duration_ms: 5, outcome: 'failed', message: 'no space left' } as const
    expect(findProblems({ ...well, ...withLast(last) }, new Map(), now)[0]).toEqual({
      what: 'The last run of a.sweep failed.',
      advice: expect.stringContaining('no space left'),
    })
    expect(found(withLast({ ...last, outcome: 'done', started: ago(300) }))).toEqual([
      'a.sweep has not completed a run in a long time.',
    ])
    expect(found(withLast(null))).toEqual(['a.sweep has not run yet.'])
    expect(found({ ...withLast(null), started: ago(60) })).toEqual([])
    expect(found(withLast({ ...last, outcome: 'stopped' }))).toEqual([])
  })
})
