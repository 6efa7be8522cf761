import { z } from 'zod'
import { BackupStatus } from '@/server/backups/schema'
import { LastRun } from '@/server/kernel/last-run'
import { wireTimeSchema } from '@/server/kernel/wire'

/** A number that was counted up to a limit. `isMore` is true if the actual number exceeds the limit. */
const Counted = z.object({ count: z.int(), isMore: z.boolean() })
export type Counted = z.output<typeof Counted>

/** Length of a queue and the time of its oldest entry. */
const Queue = Counted.extend({ oldest: wireTimeSchema.nullable() })
export type Queue = z.output<typeof Queue>

/**
 * Free space and size, in bytes, of the file system that a directory is on; null if they cannot be determined.
 */
const Disk = z.object({ directory: z.string(), free: z.number(), size: z.number() }).nullable()
export type Disk = z.output<typeof Disk>

const BackgroundJob = z.object({
  name: z.string(),
  purpose: z.string(),
  next: wireTimeSchema,
  /** Interval between two scheduled runs, in milliseconds. */
  period_ms: z.number(),
  last: LastRun.nullable(),
})
export type BackgroundJob = z.output<typeof BackgroundJob>

/** An address in a private or loopback network, with the number of accounts that signed in from it. */
const SharedAddress = z.object({ address: z.string(), accounts: z.int() })
export type SharedAddress = z.output<typeof SharedAddress>

/** State of the site, for administrators. */
export const Health = z.object({
  version: z.string(),
  node: z.string(),
  /** Start time of the server process that has run for longest. */
  started: wireTimeSchema,
  /**
   * The server processes of the responding machine: how many run and should run, their memory in bytes, and how
   * often one ended unexpectedly and another one was started.
   */
  processes: z.object({ running: z.int(), wanted: z.int(), memory: z.number(), restarts: z.int() }),
  /**
   * The launchers that start Git for these processes, of which `stopped` are not running. Null if the processes
   * start Git themselves.
   */
  launchers: z.object({ stopped: z.int(), restarts: z.int(), children: z.int() }).nullable(),
  database: z.object({ kind: z.enum(['embedded', 'server']), version: z.string(), bytes: z.number() }),
  data: Disk,
  repositories: Disk,
  objects: z.object({ kind: z.enum(['disk', 's3', 'azure']), disk: Disk }),
  queues: z.object({
    /** Events that the webhook or workflow consumer has yet to handle. */
    webhooks: Queue,
    workflows: Queue,
    /** Pending deliveries; `oldest` is the time at which the first one was due. */
    deliveries: Queue,
    /** Deliveries that failed in the last 24 hours. */
    failed_deliveries: Counted,
    jobs: Queue,
    pushes: z.int(),
  }),
  backups: BackupStatus.nullable(),
  /** Whether changes are rejected and background work is stopped for maintenance. */
  read_only: z.boolean(),
  /** An address that is probably a reverse proxy missing from the trusted proxies. */
  shared_address: SharedAddress.nullable(),
  jobs: z.array(BackgroundJob),
  /** Problems of the site, each with advice. */
  problems: z.array(z.object({ what: z.string(), advice: z.string() })),
})
export type Health = z.output<typeof Health>
