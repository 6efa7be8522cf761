import type { Devices } from './disk'
import type { BackgroundJob, Disk, Health, Queue } from './schema'

type Problem = Health['problems'][number]

const minuteMs = 60_000
const lateMs = { events: 5 * minuteMs, deliveries: 15 * minuteMs, jobs: 30 * minuteMs }

/** What is wrong with a site that is in this state, worst first, each with what to do about it. */
export function findProblems(health: Omit<Health, 'problems'>, devices: Devices, now: Date): Problem[] {
  const { data, repositories, objects, queues, shared_address: shared, jobs, started, launcher } = health
  const ageOf = (time: string): number => now.getTime() - Date.parse(time)
  const isLate = ({ oldest }: Queue, afterMs: number): boolean => oldest !== null && ageOf(oldest) > afterMs
  const upMs = ageOf(started)
  return [
    ...(launcher && launcher.pid === null
      ? [
          {
            what: 'The launcher, which starts git, is not running.',
            advice:
              'The server keeps trying to restart it. Until then it starts git itself, which is slower. Look into the log for the cause.',
          },
        ]
      : []),
    ...diskProblems(devices, [
      [data, 'The data directory'],
      [repositories, 'The repository directory'],
      [objects.disk, 'The object store'],
    ]),
    ...[queues.webhooks, queues.workflows]
      .filter(queue => isLate(queue, lateMs.events))
      .slice(0, 1)
      .map(() => ({
        what: 'Events have waited for more than 5 minutes.',
        advice:
          'Webhooks and workflows come late. Look into the log for errors of the workers, and start one more process.',
      })),
    ...(isLate(queues.deliveries, lateMs.deliveries)
      ? [
          {
            what: 'Webhook deliveries have been due for more than 15 minutes.',
            advice: 'Receivers are slow or cannot be reached. Look at the webhooks with failed deliveries.',
          },
        ]
      : []),
    ...(isLate(queues.jobs, lateMs.jobs)
      ? [
          {
            what: 'A workflow job has waited for a runner for more than 30 minutes.',
            advice: 'Look at the runners: none that is online and free has the labels that the job asks for.',
          },
        ]
      : []),
    ...(shared
      ? [
          {
            what: `${shared.accounts.toLocaleString('en-US')} accounts have signed in from one address, ${shared.address}.`,
            advice:
              'If a reverse proxy has it, name it in GUILDHALL_TRUSTED_PROXIES: until then everybody behind it shares the limits of one address.',
          },
        ]
      : []),
    ...jobs.flatMap(job => jobProblem(job, ageOf, upMs)),
  ]
}

const fewBytes = 1024 ** 3

// Of directories on one disk, one word is enough.
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
        'Make room on the disk or move to a larger one: pushes, uploads and the database fail when it is full.',
    }
  })
}

// A run may be long, and the process may have started a moment ago.
function jobProblem(
  { name, last, period_ms: periodMs }: BackgroundJob,
  ageOf: (time: string) => number,
  upMs: number,
): Problem[] {
  if (last?.outcome === 'failed') {
    return [
      {
        what: `The last run of ${name} failed.`,
        advice: `It said: ${last.message || 'nothing'}. Look into the log for more; it is tried again at its next time.`,
      },
    ]
  }
  const overdueMs = 2 * periodMs + 10 * minuteMs
  if (upMs < overdueMs || (last && ageOf(last.started) - last.duration_ms < overdueMs)) return []
  return [
    {
      what: last ? `${name} has not ended a run for a long time.` : `${name} has not run yet.`,
      advice: 'Look into the log for what keeps it, and restart the process that runs the background jobs.',
    },
  ]
}
