import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { wireTimeSchema } from '@/server/kernel/wire'

/** What events are about, as administrators choose by it; the words before the point of their kinds. */
export const eventGroups = {
  accounts: ['user', 'account', 'events'],
  'sign-in': ['session', 'password'],
  credentials: ['token', 'key', 'deploy_key'],
  organizations: ['org', 'team'],
  repositories: ['repository', 'collaborator'],
  code: ['git', 'ref', 'refs'],
  releases: ['release'],
  webhooks: ['hook'],
  actions: ['workflow', 'run', 'job', 'secret', 'variable', 'runner'],
} as const

/** What a workflow run does by itself, several times each. */
export const automaticKinds = [
  'run.started',
  'run.completed',
  'job.blocked',
  'job.queued',
  'job.started',
  'job.completed',
] as const

const name = z
  .string()
  .transform(text => text.replaceAll('\0', '').trim())
  .pipe(z.string().max(200))
  .default('')

const day = z
  .string()
  .regex(/^((19[7-9]|2\d\d)\d-\d{2}-\d{2})?$/)
  .refine(text => text === '' || !Number.isNaN(Date.parse(text)))
  .default('')

/** Which events: those that meet all of it. */
const filter = {
  /** A group, `people` for all but what runs do by themselves, `everything`, or one kind such as `key.added`. */
  kind: z.string().max(60).default(''),
  /** Who did it. */
  actor: name,
  /** `owner`, for the account and its repositories, or `owner/name`. */
  place: name,
  /** The first and the last day, in UTC. */
  from: day,
  to: day,
}
export const EventFilter = z.object(filter)
export type EventFilter = z.output<typeof EventFilter>

export const ListEventsInput = z.object({ ...filter, ...cursorInput })
export type ListEventsInput = z.output<typeof ListEventsInput>

/** Something that happened, with the facts as they were recorded. */
export const AuditEvent = z.object({
  id: z.int(),
  kind: z.string(),
  created: wireTimeSchema,
  /** Null for visitors, for what runs by itself, and for accounts that were deleted since. */
  actor: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** What they did, as the rest of a sentence that begins with their name. */
  text: z.string(),
  /** Empty where no client is known. */
  remote_address: z.string(),
  request_id: z.string(),
  /** The account that it concerns, and the repository that it happened in, by their names of today. */
  owner: z.string().nullable(),
  repository: z.string().nullable(),
  facts: z.record(z.string(), z.unknown()),
})
export type AuditEvent = z.output<typeof AuditEvent>
export const AuditEventPage = cursorPageOf(AuditEvent)
