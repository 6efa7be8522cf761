import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopeName } from '@/server/scopes/schema'

/** Maximum number of unread notifications that are counted. */
export const maxUnread = 100

export const ListNotificationsInput = z.object({
  ...cursorInput,
  unread_only: z.boolean().default(false),
})
export type ListNotificationsInput = z.output<typeof ListNotificationsInput>

const id = z.int().positive()

/** The oldest and the newest of the notifications that were shown. */
export const MarkReadInput = z.object({ from: id, to: id })
export type MarkReadInput = z.output<typeof MarkReadInput>

const common = { id: wireId, unread: z.boolean(), created_at: wireTimeSchema }
/** Full name of a repository. */
const repository = z.string()

/** Something that needs a person, with what they need to know to go there. */
export const Notification = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('run_failed'),
    repository,
    run_id: wireId,
    run_number: z.int(),
    workflow: z.string(),
    title: z.string(),
    /** First job that failed, with the last line of its first failed step; null if the run has none. */
    job: z
      .object({ id: wireId, name: z.string(), step: z.string().nullable(), line: z.int().nullable() })
      .nullable(),
  }),
  z.object({
    ...common,
    kind: z.literal('transfer_offered'),
    repository,
    recipient: z.string(),
    doer: z.string(),
    /** Whether the recipient can already see the repository, whose page then shows the offer. */
    is_visible: z.boolean(),
  }),
  z.object({ ...common, kind: z.literal('team_joined'), org: z.string(), team: z.string() }),
  z.object({
    ...common,
    kind: z.literal('collaboration_begun'),
    repository,
    permission: z.enum(['read', 'write', 'admin']),
  }),
  z.object({
    ...common,
    kind: z.literal('hook_disabled'),
    hook_id: wireId,
    target: z.string(),
    scope: ScopeName,
    why: z.enum(['gone', 'failing']),
  }),
  z.object({
    ...common,
    kind: z.literal('token_expiring'),
    name: z.string(),
    expires_at: wireTimeSchema,
  }),
  z.object({ ...common, kind: z.literal('key_expiring'), title: z.string(), expires_at: wireTimeSchema }),
])
export type Notification = z.output<typeof Notification>
export type NotificationKind = Notification['kind']

/** A page of notifications, newest first. `unread` counts all unread ones, up to `maxUnread`. */
export const NotificationPage = cursorPageOf(Notification).extend({ unread: z.int() })
export type NotificationPage = z.output<typeof NotificationPage>
