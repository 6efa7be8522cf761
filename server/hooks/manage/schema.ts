import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, paragraph, strictBoolean, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { readAddress } from '../address'
import { authorizationHeader, branchFilter, EditHookOption, hookTypes, name, ScopedHookPath } from '../schema'
import { secretProblem } from '../secret'

/** A webhook as its management pages show it: the form fields and its status. */
export const ManagedHook = z.object({
  id: wireId,
  type: z.string(),
  /**
   * Scope of the webhook. For site webhooks, `system` receives the events of the whole site, and `default` is
   * copied into new repositories.
   */
  scope: z.enum(['repository', 'owner', 'system', 'default']),
  /** Host and port of the webhook's URL. */
  target: z.string(),
  name: z.string(),
  url: z.string(),
  content_type: z.enum(['json', 'form']),
  channel: z.string(),
  username: z.string(),
  icon_url: z.string(),
  color: z.string(),
  events: z.array(z.string()),
  branch_filter: z.string(),
  active: z.boolean(),
  has_secret: z.boolean(),
  /** Time until which the previous secret also signs; null if it does not. */
  former_secret_until: wireTimeSchema.nullable(),
  has_authorization_header: z.boolean(),
  /** Why the site disabled the webhook; null if it did not. */
  disabled_reason: z.enum(['gone', 'failing']).nullable(),
  /** Time of the first failure after the last success; null if the webhook is not failing. */
  failing_since: wireTimeSchema.nullable(),
  created_at: wireTimeSchema,
  updated_at: wireTimeSchema,
})
export type ManagedHook = z.output<typeof ManagedHook>

const HookHealth = z.object({
  /**
   * Outcomes of the last 100 attempts to deliver events, oldest first: `+` for a success and `-` for a
   * failure. Pings and tests are not included.
   */
  outcomes: z.string(),
  /** Number of pending deliveries; 1,000 means 1,000 or more. */
  pending: z.int(),
  /** The newest delivery, with the HTTP status of its last response; null if there is none. */
  last: z
    .object({
      at: wireTimeSchema,
      status: z.enum(['pending', 'delivered', 'failed']),
      code: z.int().nullable(),
    })
    .nullable(),
})
export type HookHealth = z.output<typeof HookHealth>

/** A webhook with the health of its deliveries. */
export const BrowsedHook = ManagedHook.extend({ health: HookHealth })
export type BrowsedHook = z.output<typeof BrowsedHook>
export const BrowsedHookPage = pageOf(BrowsedHook)

/**
 * Warning that requests to a webhook's URL are currently impossible, because the host does not resolve or the
 * site does not allow requests to it.
 */
export const AddressWarning = z.object({
  kind: z.enum(['denied', 'unresolved']),
  host: z.string(),
  /** The IP address that the host resolves to, shown only to site administrators. */
  address: z.string().optional(),
  rule: z.string().optional(),
  message: z.string(),
})
export type AddressWarning = z.output<typeof AddressWarning>

/** A saved webhook, with a warning if requests to its changed URL are currently impossible. */
export const SavedHook = z.object({ hook: ManagedHook, warning: AddressWarning.nullable() })
export type SavedHook = z.output<typeof SavedHook>

export const BrowseHooksInput = ScopePath.extend(pageInput)

/** A URL from the webhook form to check, which may be incomplete. */
export const CheckAddressInput = ScopePath.extend({ url: line(2048) })

/** The fields of the webhook form. Secrets are separate, because they are never shown. */
export const HookFields = z.object({
  name,
  url: z
    .string()
    .trim()
    .pipe(
      line(2048).superRefine((text, issues) => {
        const { target, problem = 'Enter a URL that starts with https:// or http://.' } = readAddress(text)
        if (target === undefined) issues.addIssue(problem)
      }),
    ),
  content_type: z.enum(['json', 'form'], { error: 'Select json or form.' }),
  channel: line(255),
  username: line(255),
  icon_url: line(2048),
  color: line(255),
  branch_filter: branchFilter,
  /** Event names, separated by spaces. */
  events: line(2000).min(1, 'Select at least one event.'),
  active: strictBoolean,
})
export type HookFields = z.output<typeof HookFields>

const secret = paragraph(2048).superRefine((text, issues) => {
  const problem = secretProblem(text)
  if (problem) issues.addIssue(problem)
})

const looks = { channel: true, username: true, icon_url: true, color: true } as const

export const NewHookInput = ScopePath.extend({
  type: z.enum(hookTypes, { error: 'Select a webhook type.' }),
  ...HookFields.shape,
  ...HookFields.pick(looks).partial().shape,
  secret,
  authorization_header: authorizationHeader,
  /** For site webhooks: whether the webhook receives the events of the whole site. */
  system: strictBoolean.optional(),
})
export type NewHookInput = z.output<typeof NewHookInput>

export const SaveHookInput = ScopedHookPath.extend(formEdit(HookFields.partial()).shape)
export type SaveHookInput = z.output<typeof SaveHookInput>

/** Changes to a webhook outside of its form: its activation, secret, and authorization header. */
export const SetHookInput = ScopedHookPath.extend(
  EditHookOption.pick({ active: true, authorization_header: true }).shape,
).extend({ secret: secret.optional() })
export type SetHookInput = z.output<typeof SetHookInput>
