import { backupJobName } from '@/server/backups/schema'
import { errorText, failedBackup, lateBackup } from './backup-problems'
import type { Devices } from './disk'
import type { BackgroundJob, Disk, Health, Queue } from './schema'

type Problem = Health['problems'][number]

const minuteMs = 60_000
const lateMs = { events: 5 * minuteMs, deliveries: 15 * minuteMs, jobs: 30 * minuteMs }

/** Returns the problems of a site in this state, worst first, each with advice. */
export function findProblems(health: Omit<Health, 'problems'>, devices: Devices, now: Date): Problem[] {
  const {
    data,
    repositories,
    objects,
    queues,
    shared_address: shared,
    jobs,
    started,
    processes,
    launchers,
  } = health
  const ageOf = (time: string): number => now.getTime() - Date.parse(time)
  const upMs = ageOf(started)
  // A failure of this job is that of a backup.
  const isNotReported = ({ name, last }: BackgroundJob): boolean =>
    name !== backupJobName || last?.outcome !== 'failed' || health.backups?.last?.outcome !== 'failed'
  return [
    ...(processes.running < processes.wanted
      ? [
          {
            what: `Only ${processes.running} of ${processes.wanted} server processes are running.`,
            advice:
              'Another one is being started. If this takes longer than a minute, check the log for the cause.',
          },
        ]
      : []),
    ...(launchers && launchers.stopped > 0
      ? [
          {
            what: 'The launcher, which starts Git, is not running.',
            advice:
              'The server keeps trying to restart it. In the meantime, the server starts Git directly, which is slower. Check the log for the cause.',
          },
        ]
      : []),
    ...diskProblems(devices, [
      [data, 'The data directory'],
      [repositories, 'The repository directory'],
      [objects.disk, 'The object store'],
    ]),
    ...(health.read_only ? [readOnly] : queueProblems(queues, ageOf)),
    ...(shared
      ? [
          {
            what: `${shared.accounts.toLocaleString('en-US')} accounts have signed in from the same address, ${shared.address}.`,
            advice:
              'If it is a reverse proxy, add it to GUILDHALL_TRUSTED_PROXIES. Until then, everyone behind it shares the rate limits of one address.',
          },
        ]
      : []),
    ...failedBackup(health.backups),
    ...(health.read_only ? [] : lateBackup(health.backups, ageOf, upMs)),
    ...(health.read_only ? [] : jobs.filter(isNotReported).flatMap(job => jobProblem(job, ageOf, upMs))),
  ]
}

// Background work has stopped, so nothing else is said about it.
const readOnly: Problem = {
  what: 'This site is read-only.',
  advice:
    'Background work, such as webhooks, workflows, and scheduled backups, is stopped. To continue, remove GUILDHALL_READ_ONLY from the settings, and restart every process.',
}

function queueProblems(queues: Health['queues'], ageOf: (time: string) => number): Problem[] {
  const isLate = ({ oldest }: Queue, afterMs: number): boolean => oldest !== null && ageOf(oldest) > afterMs
  return [
    ...[queues.webhooks, queues.workflows]
      .filter(queue => isLate(queue, lateMs.events))
      .slice(0, 1)
      .map(() => ({
        what: 'Events have been waiting for more than 5 minutes.',
        advice:
          'Webhooks and workflows are delayed. Check the log for errors from workers, and start another process.',
      })),
    ...(isLate(queues.deliveries, lateMs.deliveries)
      ? [
          {
            what: 'Webhook deliveries have been overdue for more than 15 minutes.',
            advice: 'Receivers are slow or cannot be reached. Check the webhooks with failed deliveries.',
          },
        ]
      : []),
    ...(isLate(queues.jobs, lateMs.jobs)
      ? [
          {
            what: 'A workflow job has been waiting for a runner for more than 30 minutes.',
            advice: 'Check the runners: no online, idle runner has the labels that the job requires.',
          },
        ]
      : []),
  ]
}

const fewBytes = 1024 ** 3

// Directories on the same disk are reported once.
function diskProblems(devices: Devices, disks: [disk: Disk, what: string][]): Problem[] {
  const reported = new Set<number | string>()
  return disks.flatMap(([disk, what]) => {
    if (!disk || (disk.free >= fewBytes && disk.free >= disk.size / 20)) return []
    const device = devices.get(disk.directory) ?? disk.directory
    if (reported.has(device)) return []
    reported.add(device)
    return {
      what: `${what} is almost full.`,
      advice:
        'Free up space or move to a larger disk. Pushes, uploads, and the database fail when the disk is full.',
    }
  })
}

// Allows for long runs and for a process that has only just started.
function jobProblem(
  { name, last, period_ms: periodMs }: BackgroundJob,
  ageOf: (time: string) => number,
  upMs: number,
): Problem[] {
  if (last?.outcome === 'failed') {
    return [
      {
        what: `The last run of ${name} failed.`,
        advice: `${errorText(last.message)} Check the log for details. The job runs again at its next scheduled time.`,
      },
    ]
  }
  const overdueMs = 2 * periodMs + 10 * minuteMs
  if (upMs < overdueMs || (last && ageOf(last.started) - last.duration_ms < overdueMs)) return []
  return [
    {
      what: last ? `${name} has not completed a run in a long time.` : `${name} has not run yet.`,
      advice: 'Check the log for the cause, and restart the process that runs the background jobs.',
    },
  ]
}
