import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, paragraph, strictBoolean, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { readAddress } from '../address'
import { authorizationHeader, branchFilter, EditHookOption, hookTypes, name, ScopedHookPath } from '../schema'
import { secretProblem } from '../secret'

/** A hook as pages show it: what the form holds, and whether the site sends. */
export const ManagedHook = z.object({
  id: wireId,
  type: z.string(),
  /** Of the site's: sent what happens everywhere, or copied into new repositories. */
  scope: z.enum(['repository', 'owner', 'system', 'default']),
  /** Host and port of the address. */
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
  /** Until when the secret before this one signs as well; null when it does not. */
  former_secret_until: wireTimeSchema.nullable(),
  has_authorization_header: z.boolean(),
  /** Why the site stopped sending; null where it did not. */
  disabled_reason: z.enum(['gone', 'failing']).nullable(),
  /** Since when nothing arrived; null when the last attempt did. */
  failing_since: wireTimeSchema.nullable(),
  created_at: wireTimeSchema,
  updated_at: wireTimeSchema,
})
export type ManagedHook = z.output<typeof ManagedHook>

const HookHealth = z.object({
  /**
   * Of the last 100 attempts to tell of events, oldest first: `+` for each that succeeded, `-` for each that failed. Pings and
   * tests are not among them.
   */
  outcomes: z.string(),
  /** How many deliveries wait to be made; 1000 stands for more. */
  pending: z.int(),
  /** The newest delivery, with the status of the last answer to it. */
  last: z
    .object({
      at: wireTimeSchema,
      status: z.enum(['pending', 'delivered', 'failed']),
      code: z.int().nullable(),
    })
    .nullable(),
})
export type HookHealth = z.output<typeof HookHealth>

/** A hook with how it fares. */
export const BrowsedHook = ManagedHook.extend({ health: HookHealth })
export type BrowsedHook = z.output<typeof BrowsedHook>
export const BrowsedHookPage = pageOf(BrowsedHook)

/** Why nothing that is sent to the address would arrive as things are. */
export const AddressWarning = z.object({
  kind: z.enum(['denied', 'unresolved']),
  host: z.string(),
  /** For administrators of the site. */
  address: z.string().optional(),
  rule: z.string().optional(),
  message: z.string(),
})
export type AddressWarning = z.output<typeof AddressWarning>

/** A hook that was saved, with a warning where its address was changed to one that nothing would arrive at. */
export const SavedHook = z.object({ hook: ManagedHook, warning: AddressWarning.nullable() })
export type SavedHook = z.output<typeof SavedHook>

export const BrowseHooksInput = ScopePath.extend(pageInput)

/** An address that a form holds, whole or not. */
export const CheckAddressInput = ScopePath.extend({ url: line(2048) })

/** What the form of a hook holds; secrets are set apart from it, as they are never shown. */
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
  content_type: z.enum(['json', 'form'], { error: 'Choose json or form.' }),
  channel: line(255),
  username: line(255),
  icon_url: line(2048),
  color: line(255),
  branch_filter: branchFilter,
  /** Names with spaces between them. */
  events: line(2000).min(1, 'Choose at least one event.'),
  active: strictBoolean,
})
export type HookFields = z.output<typeof HookFields>

const secret = paragraph(2048).superRefine((text, issues) => {
  const problem = secretProblem(text)
  if (problem) issues.addIssue(problem)
})

const looks = { channel: true, username: true, icon_url: true, color: true } as const

export const NewHookInput = ScopePath.extend({
  type: z.enum(hookTypes, { error: 'Choose what the hook writes to.' }),
  ...HookFields.shape,
  ...HookFields.pick(looks).partial().shape,
  secret,
  authorization_header: authorizationHeader,
  /** For the site: whether it is sent what happens everywhere. */
  system: strictBoolean.optional(),
})
export type NewHookInput = z.output<typeof NewHookInput>

export const SaveHookInput = ScopedHookPath.extend(formEdit(HookFields.partial()).shape)
export type SaveHookInput = z.output<typeof SaveHookInput>

/** What is changed beside the form: switched on and off, and secrets. */
export const SetHookInput = ScopedHookPath.extend(
  EditHookOption.pick({ active: true, authorization_header: true }).shape,
).extend({ secret: secret.optional() })
export type SetHookInput = z.output<typeof SetHookInput>
