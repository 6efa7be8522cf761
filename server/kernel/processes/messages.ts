import type { Client, FairLimits } from '../fair-limit'
import type { LauncherState } from '../launcher/launcher'

/** Message from a server process to the supervisor. */
export type FromProcess =
  /** The process has started completely. */
  | { type: 'ready' }
  /** Asks for slots of a limit that all processes share, to be granted under the ID. */
  | { type: 'acquire'; id: number; name: string; limits: FairLimits; client: SharedClient }
  /** Returns the slots with the ID, or withdraws the request for them. */
  | { type: 'release'; id: number }
  /** Asks for the reports of all processes. */
  | { type: 'collect'; id: number }
  /** The answer to `report`. Without an ID, the last report of a process that ends. */
  | { type: 'reported'; id?: number; report: ProcessReport }

/** Message from the supervisor to a server process. */
export type FromSupervisor =
  /** Stop as on SIGTERM. */
  | { type: 'stop' }
  /** Accept nothing more and exit once all open requests are done, because another process has taken over. */
  | { type: 'retire' }
  | { type: 'granted'; id: number; slots: number }
  | { type: 'refused'; id: number }
  | { type: 'report'; id: number }
  | { type: 'collected'; id: number; all: Collected }

/** The part of a client that can be sent. */
export type SharedClient = Omit<Client, 'disconnected'>

/** State of one server process. */
export interface ProcessState {
  pid: number
  /** Start time in milliseconds of Unix time. */
  started: number
  memoryBytes: number
  /** The launcher, with the number of running commands; null if the process starts Git itself. */
  launcher: (LauncherState & { children: number }) | null
}

export interface ProcessReport extends ProcessState {
  metrics: MetricValues[]
}

/** A metric with its values, as the metrics library exports it. */
export interface MetricValues {
  name: string
  type: string
  help: string
  aggregator: string
  values: MetricValue[]
}

export interface MetricValue {
  value: number
  labels: Record<string, string | number>
  /** The series of a histogram, such as its buckets. */
  metricName?: string
}

/** State of all server processes. */
export interface Collected {
  reports: ProcessReport[]
  /** Counters of processes that have ended, so that totals never decrease. */
  ended: MetricValues[]
  /** Number of processes that should run. */
  wanted: number
  /** Number of times a process ended unexpectedly and another one was started. */
  restarts: number
}

/** Variable by which the supervisor tells a process that it is one of several. */
export const supervisedVariable = 'GUILDHALL_SUPERVISED'

/** What the variable contains, as JSON. */
export interface Supervised {
  /** Whether this is the first process, which alone says what concerns the whole site. */
  isFirst: boolean
  /** The file mode creation mask that the supervisor was started with. */
  umask: number
}
