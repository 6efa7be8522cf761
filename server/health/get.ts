import { Cron } from 'croner'
import type { Db } from '@/db/client'
import { getBackupStatus } from '@/server/backups'
import { webhookConsumer, workflowConsumer } from '@/server/events'
import { dayMs } from '@/server/kernel/clock'
import type { AdminCtx, ServiceCtx } from '@/server/kernel/ctx'
import { rangeOf } from '@/server/kernel/egress/address-range'
import type { ScheduledJob } from '@/server/kernel/jobs'
import { viewLastRun } from '@/server/kernel/last-run'
import type { ProcessState } from '@/server/kernel/processes/messages'
import { processStates } from '@/server/kernel/processes/states'
import { productVersion } from '@/server/kernel/version'
import { wireTime } from '@/server/kernel/wire'
import { countSpooledPushes } from '@/server/repos/push'
import { findTroubles } from './checks'
import { devicesOf, diskOf } from './disk'
import { findProblems } from './problems'
import type { BackgroundJob, Health, Queue } from './schema'
import {
  countFailedDeliveries,
  countPendingDeliveries,
  countQueuedJobs,
  countWaitingEvents,
  describeDatabase,
  selectLastRuns,
  selectSharedAddresses,
} from './store'

/** A background job with a description of its purpose. */
export type ListedJob = ScheduledJob & { purpose: string }

// Open pages request the health with each event of the site. This is shorter than the interval of their own
// polling.
const freshMs = 10_000

interface Answer {
  at: number
  health: Promise<Health>
}

const answers = new WeakMap<Db, Answer>()

/**
 * Returns the state of the site: the server processes of this machine, the database, the disks, the length of
 * each queue, the last runs of the background jobs, and the problems. Queues are counted up to 10,000 entries.
 * All callers within ten seconds share one result.
 */
export async function getHealth(ctx: AdminCtx, schedule: readonly ListedJob[]): Promise<Health> {
  const now = ctx.clock.now().getTime()
  const last = answers.get(ctx.db)
  if (last && Math.abs(now - last.at) < freshMs) return await last.health
  const answer = { at: now, health: look(ctx, schedule) }
  answers.set(ctx.db, answer)
  try {
    return await answer.health
  } catch (error) {
    if (answers.get(ctx.db) === answer) answers.delete(ctx.db)
    throw error
  }
}

async function look(ctx: ServiceCtx, schedule: readonly ListedJob[]): Promise<Health> {
  const { db, clock, config } = ctx
  const now = clock.now()
  const kind = config.databaseUrl ? 'server' : 'embedded'
  const { storage } = config
  const [
    database,
    data,
    repositories,
    objects,
    webhooks,
    workflows,
    deliveries,
    failed,
    queued,
    pushes,
    backups,
    shared,
    jobs,
    troubles,
    processes,
  ] = await Promise.all([
    describeDatabase(db),
    diskOf(config.dataDir),
    diskOf(config.repositoryDir),
    storage.kind === 'disk' ? diskOf(storage.directory) : null,
    countWaitingEvents(db, webhookConsumer.name),
    countWaitingEvents(db, workflowConsumer.name),
    countPendingDeliveries(db, now),
    countFailedDeliveries(db, new Date(now.getTime() - dayMs)),
    countQueuedJobs(db),
    countSpooledPushes(ctx),
    getBackupStatus(ctx),
    selectSharedAddresses(db, manyAccounts),
    describeJobs(
      ctx,
      schedule.filter(({ job }) => (job.database ?? kind) === kind),
    ),
    findTroubles(ctx),
    processStates(),
  ])
  const known = {
    version: productVersion,
    node: process.version,
    ...describeProcesses(processes),
    database: { kind, ...database } as const,
    data,
    repositories,
    objects: { kind: storage.kind, disk: objects },
    queues: {
      webhooks: viewQueue(webhooks),
      workflows: viewQueue(workflows),
      deliveries: viewQueue(deliveries),
      failed_deliveries: failed,
      jobs: viewQueue(queued),
      pushes,
    },
    backups,
    read_only: config.readOnly,
    shared_address: shared.find(({ address }) => isOwnNetwork(address)) ?? null,
    jobs,
  }
  const devices = await devicesOf([data, repositories, objects])
  return { ...known, problems: [...troubles.map(problemOf), ...findProblems(known, devices, now)] }
}

function describeProcesses({
  running,
  wanted,
  restarts,
}: Awaited<ReturnType<typeof processStates>>): Pick<Health, 'started' | 'processes' | 'launchers'> {
  const total = (of: (state: ProcessState) => number): number =>
    running.reduce((sum, state) => sum + of(state), 0)
  const launchers = {
    stopped: total(({ launcher }) => Number(launcher?.pid === null)),
    restarts: total(({ launcher }) => launcher?.restarts ?? 0),
    children: total(({ launcher }) => launcher?.children ?? 0),
  }
  return {
    started: wireTime(new Date(Math.min(...running.map(({ started }) => started)))),
    processes: { running: running.length, wanted, memory: total(({ memoryBytes }) => memoryBytes), restarts },
    launchers: running.some(({ launcher }) => launcher) ? launchers : null,
  }
}

/** Turns a sentence from `/readyz` into a problem. */
const problemOf = (trouble: string): Health['problems'][number] => ({
  what: `${trouble.charAt(0).toUpperCase()}${trouble.slice(1)}.`,
  advice:
    'Requests that depend on it, including /readyz, fail with status 503 until it recovers. Check the log for the cause.',
})

// So many people seldom share a machine. Public addresses are excluded, because all users of an office can
// share one.
const manyAccounts = 50
const isOwnNetwork = (address: string): boolean => ['private', 'loopback'].includes(rangeOf(address).group)

const viewQueue = ({ oldest, ...counted }: Omit<Queue, 'oldest'> & { oldest: Date | null }): Queue => ({
  ...counted,
  oldest: oldest && wireTime(oldest),
})

async function describeJobs(
  { db, clock }: ServiceCtx,
  schedule: readonly ListedJob[],
): Promise<BackgroundJob[]> {
  const now = clock.now()
  const runs = await selectLastRuns(
    db,
    schedule.map(({ job }) => job.name),
  )
  return schedule.map(({ every, job: { name }, purpose }) => {
    const [next, afterNext] = new Cron(every, { paused: true, timezone: 'UTC' }).nextRuns(2, now) as [
      Date,
      Date,
    ]
    return {
      name,
      purpose,
      next: wireTime(next),
      period_ms: afterNext.getTime() - next.getTime(),
      last: viewLastRun(runs.get(name)),
    }
  })
}
