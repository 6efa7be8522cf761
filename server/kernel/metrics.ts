import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import { launches } from './launcher/launch'
import type { Collected, MetricValues } from './processes/messages'
import { supervisorOf } from './processes/supervised'
import { remember } from './remember'

export interface RequestFacts {
  /** Name of the handler that responded, such as rest, trpc or page. */
  mount: string
  method: string
  status: number
  seconds: number
}

/** Result of an attempt to deliver a webhook. */
export type DeliveryResult = 'delivered' | 'retried' | 'failed' | 'skipped'

/** The last backup that has ended, and the last complete one. What never happened is absent. */
export interface BackupFacts {
  hasFailed?: boolean
  durationSeconds?: number
  completeAt?: Date
  sizeBytes?: number
}

export interface Metrics {
  observe(request: RequestFacts): void
  countDelivery(result: DeliveryResult): void
  /** Records the number of waiting deliveries and, in seconds, how long the oldest one has been due. */
  observeDeliveryQueue(queue: { length: number; oldestSeconds: number }): void
  observeBackups(facts: BackupFacts): void
  contentType: string
  /**
   * Returns the metrics of all server processes in the Prometheus text format. Counters, histograms, memory, and
   * numbers of things are sums. For delays of the main thread, and for what all processes read from the
   * database, such as the length of a queue, the highest value counts.
   */
  read(): Promise<string>
  /** Returns the metrics of this process. */
  values(): Promise<MetricValues[]>
}

const restartsName = 'guildhall_process_restarts_total'
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Adds a gauge whose value is read from elsewhere when the metrics are collected. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'guildhall_' })
  const labelNames = ['mount', 'method', 'status'] as const
  const requests = new Counter({
    name: 'guildhall_http_requests_total',
    help: 'Completed HTTP requests.',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'Time from the first byte read to the last byte written.',
    labelNames: ['mount'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const deliveries = new Counter({
    name: 'guildhall_webhook_deliveries_total',
    help: 'Attempts to deliver webhooks, by result.',
    labelNames: ['result'] as const,
    registers: [registry],
  })
  const queueLength = new Gauge({
    name: 'guildhall_webhook_queue_length',
    help: 'Waiting webhook deliveries, counted up to 10000.',
    aggregator: 'max',
    registers: [registry],
  })
  const queueAge = new Gauge({
    name: 'guildhall_webhook_queue_oldest_seconds',
    help: 'Time since the oldest waiting webhook delivery was due.',
    aggregator: 'max',
    registers: [registry],
  })
  const backup = (name: string, help: string): ((value: number | undefined) => void) => {
    const gauge = new Gauge({ name: `guildhall_backup_${name}`, help, aggregator: 'max', registers: [] })
    return value => {
      if (value === undefined) return
      gauge.set(value)
      registry.registerMetric(gauge)
    }
  }
  const backups = {
    failed: backup('last_failed', 'Whether the last backup failed: 1 or 0.'),
    duration: backup('last_duration_seconds', 'Duration of the last backup.'),
    completeAt: backup('last_complete_timestamp_seconds', 'Start of the last complete backup, in Unix time.'),
    size: backup('last_complete_bytes', 'Size of the last complete backup.'),
  }
  const starts = new Histogram({
    name: 'guildhall_child_start_duration_seconds',
    help: 'Time from requesting a child process, such as git, until it runs.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const launched = launches()
  launched.onStarted = seconds => starts.observe(seconds)
  addGauge(
    registry,
    'guildhall_children',
    'Child processes, such as git, that are running or starting.',
    () => launched.running,
  )
  addCounter(
    registry,
    'guildhall_children_started_total',
    'Child processes that were started.',
    () => launched.started,
  )
  addCounter(
    registry,
    'guildhall_children_failed_total',
    'Child processes that could not be started.',
    () => launched.failed,
  )
  addCounter(
    registry,
    'guildhall_launcher_restarts_total',
    'Number of times the launcher was restarted.',
    () => launched.launcher?.state().restarts ?? 0,
  )
  addGauge(registry, 'guildhall_processes', 'Server processes that are running.', () => 1)
  addCounter(
    registry,
    restartsName,
    'Number of times a server process ended unexpectedly and another one was started.',
    () => 0,
  )
  const values = async (): Promise<MetricValues[]> =>
    (await registry.getMetricsAsJSON()) as unknown as MetricValues[]
  // Looking labels up in the registry costs more than counting.
  const requestsOf = remember(labels => {
    const [mount = '', method = '', status = ''] = labels.split(' ')
    return requests.labels({ mount, method, status })
  })
  const durationsOf = remember(mount => durations.labels({ mount }))
  return {
    countDelivery: result => deliveries.inc({ result }),
    observeDeliveryQueue({ length, oldestSeconds }) {
      queueLength.set(length)
      queueAge.set(oldestSeconds)
    },
    observeBackups({ hasFailed, durationSeconds, completeAt, sizeBytes }) {
      backups.failed(hasFailed === undefined ? undefined : Number(hasFailed))
      backups.duration(durationSeconds)
      backups.completeAt(completeAt && completeAt.getTime() / 1000)
      backups.size(sizeBytes)
    },
    observe({ mount, method, status, seconds }) {
      // The method is chosen by the client, so unknown ones must not create new series.
      requestsOf(`${mount} ${knownMethods.has(method) ? method : 'other'} ${status}`).inc()
      durationsOf(mount).observe(seconds)
    },
    contentType: registry.contentType,
    async read() {
      const supervisor = supervisorOf()
      return supervisor ? await textOf(await supervisor.collect()) : await registry.metrics()
    },
    values,
  }
}

async function textOf({ reports, ended, restarts }: Collected): Promise<string> {
  const all = [...reports.map(({ metrics }) => metrics), ended].map(metrics =>
    // The library averages delays of the main thread, which would hide a process that is blocked.
    metrics.map(metric => (metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric)),
  )
  // Only the supervisor knows it.
  for (const metric of all[0] ?? []) {
    if (metric.name === restartsName) metric.values = [{ value: restarts, labels: {} }]
  }
  return await AggregatorRegistry.aggregate(all as unknown as MetricObject[]).metrics()
}
