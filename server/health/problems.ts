import type { BackgroundJob, Disk, Health, Queue } from './schema'

type Problem = Health['problems'][number]

const minuteMs = 60_000
const lateMs = { events: 5 * minuteMs, deliveries: 15 * minuteMs, jobs: 30 * minuteMs }

/** What is wrong with a site that is in this state, worst first, each with what to do about it. */
export function findProblems(health: Omit<Health, 'problems'>, now: Date): Problem[] {
  const { data, objects, queues, jobs, started } = health
  const ageOf = (time: string): number => now.getTime() - Date.parse(time)
  const isLate = ({ oldest }: Queue, afterMs: number): boolean => oldest !== null && ageOf(oldest) > afterMs
  const upMs = ageOf(started)
  return [
    ...diskProblems(data, 'The data directory'),
    ...(objects.disk?.directory === data?.directory ? [] : diskProblems(objects.disk, 'The object store')),
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
    ...jobs.flatMap(job => jobProblem(job, ageOf, upMs)),
  ]
}

const fewBytes = 1024 ** 3

function diskProblems(disk: Disk, what: string): Problem[] {
  if (!disk) return []
  if (disk.free >= fewBytes && disk.free >= disk.size / 20) return []
  return [
    {
      what: `${what} is almost full.`,
      advice:
        'Make room on the disk or move to a larger one: pushes, uploads and the database fail when it is full.',
    },
  ]
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
  const patienceMs = 2 * periodMs + 10 * minuteMs
  if (upMs < patienceMs || (last && ageOf(last.started) - last.duration_ms < patienceMs)) return []
  return [
    {
      what: last ? `${name} has not ended a run for a long time.` : `${name} has not run yet.`,
      advice: 'Look into the log for what keeps it, and restart the process that runs the background jobs.',
    },
  ]
}
