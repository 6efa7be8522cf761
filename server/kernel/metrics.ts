import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface RequestFacts {
  /** Which handler answered: rest, trpc, page … */
  mount: string
  method: string
  status: number
  seconds: number
}

export interface Metrics {
  observe(request: RequestFacts): void
  contentType: string
  /** In the Prometheus text format. */
  read(): Promise<string>
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'guildhall_' })
  const labelNames = ['mount', 'method', 'status'] as const
  const requests = new Counter({
    name: 'guildhall_http_requests_total',
    help: 'Answered HTTP requests.',
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
  return {
    observe({ mount, method, status, seconds }) {
      // The method is the client's text: an unknown one must not make a new series.
      requests.inc({ mount, method: knownMethods.has(method) ? method : 'other', status: String(status) })
      durations.observe({ mount }, seconds)
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}
