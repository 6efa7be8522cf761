import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { wireTimeSchema } from '@/server/kernel/wire'

/** Groups by which administrators filter events. The values are the prefixes of event kinds. */
export const eventGroups = {
  accounts: ['user', 'account', 'events'],
  'sign-in': ['session', 'password'],
  credentials: ['token', 'key', 'deploy_key'],
  organizations: ['org', 'team'],
  repositories: ['repository', 'collaborator'],
  code: ['git', 'ref', 'refs', 'status'],
  releases: ['release'],
  webhooks: ['hook'],
  actions: ['workflow', 'run', 'job', 'secret', 'variable', 'runner', 'permissions'],
} as const

/** Kinds of events that workflow runs record automatically, several times per run. */
export const automaticKinds = [
  'run.started',
  'run.completed',
  'job.blocked',
  'job.queued',
  'job.started',
  'job.completed',
  'status.created',
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

/** Filter for events; an event must meet all conditions. */
const filter = {
  /** One kind such as `key.added`, a group, `people` for all kinds except automatic ones, or `everything`. */
  kind: z.string().max(60).default(''),
  /** Name of the account that performed the action. */
  actor: name,
  /** An `owner`, including the account's repositories, or one repository as `owner/name`. */
  place: name,
  /** First and last day, in UTC. */
  from: day,
  to: day,
}
export const EventFilter = z.object(filter)
export type EventFilter = z.output<typeof EventFilter>

export const ListEventsInput = z.object({ ...filter, ...cursorInput })
export type ListEventsInput = z.output<typeof ListEventsInput>

/** An event of the audit log, with its facts as recorded. */
export const AuditEvent = z.object({
  id: z.int(),
  kind: z.string(),
  created: wireTimeSchema,
  /** The account that performed the action; null for visitors, automatic actions, and deleted accounts. */
  actor: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Description of the action, as the rest of a sentence that starts with the actor's name. */
  text: z.string(),
  /** IP address of the client; empty if unknown. */
  remote_address: z.string(),
  request_id: z.string(),
  /** Current names of the account that the event concerns and of the repository that it occurred in. */
  owner: z.string().nullable(),
  repository: z.string().nullable(),
  facts: z.record(z.string(), z.unknown()),
})
export type AuditEvent = z.output<typeof AuditEvent>
export const AuditEventPage = cursorPageOf(AuditEvent)
