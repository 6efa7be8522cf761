import { z } from 'zod'
import { wireTimeSchema } from '@/server/kernel/wire'

/** A number that was counted up to a limit: beyond it, there are more. */
const Counted = z.object({ count: z.int(), isMore: z.boolean() })
export type Counted = z.output<typeof Counted>

/** How much waits, and since when the oldest of it. */
const Queue = Counted.extend({ oldest: wireTimeSchema.nullable() })
export type Queue = z.output<typeof Queue>

/** Of the file system that a directory is on, in bytes; null where it cannot be asked. */
const Disk = z.object({ directory: z.string(), free: z.number(), size: z.number() }).nullable()
export type Disk = z.output<typeof Disk>

const BackgroundJob = z.object({
  name: z.string(),
  purpose: z.string(),
  next: wireTimeSchema,
  /** How long it is from one run to the next, in milliseconds. */
  period_ms: z.number(),
  last: z
    .object({
      started: wireTimeSchema,
      duration_ms: z.number(),
      outcome: z.enum(['done', 'stopped', 'failed']),
      message: z.string(),
    })
    .nullable(),
})
export type BackgroundJob = z.output<typeof BackgroundJob>

/** An address of the site's own networks, and how many accounts signed in from it. */
const SharedAddress = z.object({ address: z.string(), accounts: z.int() })
export type SharedAddress = z.output<typeof SharedAddress>

/** The state of the site, for those who run it. */
export const Health = z.object({
  version: z.string(),
  node: z.string(),
  /** Of the process that answers. */
  started: wireTimeSchema,
  /** What starts git for that process: with `pid` null it does not run. Null where the process does so itself. */
  launcher: z.object({ pid: z.int().nullable(), restarts: z.int(), children: z.int() }).nullable(),
  database: z.object({ kind: z.enum(['embedded', 'server']), version: z.string(), bytes: z.number() }),
  data: Disk,
  repositories: Disk,
  objects: z.object({ kind: z.enum(['disk', 's3', 'azure']), disk: Disk }),
  queues: z.object({
    /** Events that webhooks, or workflows, are yet to be made of. */
    webhooks: Queue,
    workflows: Queue,
    /** Since when the first of them is due. */
    deliveries: Queue,
    /** In the last 24 hours. */
    failed_deliveries: Counted,
    jobs: Queue,
    pushes: z.int(),
  }),
  /** Of a proxy, as it seems, that is not trusted to tell for whom it asks. */
  shared_address: SharedAddress.nullable(),
  jobs: z.array(BackgroundJob),
  /** What is wrong, and what to do about it. */
  problems: z.array(z.object({ what: z.string(), advice: z.string() })),
})
export type Health = z.output<typeof Health>
