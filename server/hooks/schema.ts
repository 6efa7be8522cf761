import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  line,
  paragraph,
  queryText,
  strictBoolean,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { branchFilterProblem } from './branch-filter'
import { acceptedEventNames } from './event-names'

/** The types of webhooks. Each has its own message format or gets Gitea's JSON. */
export const hookTypes = [
  'gitea',
  'gogs',
  'slack',
  'discord',
  'dingtalk',
  'telegram',
  'msteams',
  'feishu',
  'matrix',
  'wechatwork',
  'packagist',
] as const
export type HookType = (typeof hookTypes)[number]

/**
 * A webhook as the REST API shows it. The secret and the authorization header are never shown: `config` omits
 * the secret, and `authorization_header` is always empty.
 */
export const Hook = z
  .object({
    id: wireId,
    name: z.string(),
    type: z.string(),
    branch_filter: z.string(),
    config: z
      .record(z.string(), z.string())
      .describe('`url` and `content_type`; for Slack, also `channel`, `username`, `icon_url`, and `color`.'),
    events: z.array(z.string()),
    authorization_header: z.string(),
    active: z.boolean(),
    updated_at: wireTimeSchema,
    created_at: wireTimeSchema,
  })
  .meta({ id: 'Hook' })
export type Hook = z.output<typeof Hook>
export const HookPage = pageOf(Hook)

export const ScopedHookPath = ScopePath.extend({ id })

export const HookPath = z.object({ id })
export const ListHooksInput = z.object(pageInput)
export const ListSiteHooksInput = ListHooksInput.extend({
  type: queryText
    .optional()
    .transform(word => (word === 'default' || word === 'all' ? word : 'system'))
    .meta({
      override: { type: 'string', enum: ['system', 'default', 'all'], default: 'system' },
      description:
        '`system`: webhooks that receive events from the entire site. `default`: webhooks that are copied into each new repository.',
    }),
})

const maxConfigKeys = 100
const config = z
  .record(z.string().max(100), paragraph(2048), {
    error: ({ code }) =>
      code === 'invalid_key' ? 'Option names can have at most 100 characters.' : undefined,
  })
  .refine(keys => Object.keys(keys).length <= maxConfigKeys, `Use at most ${maxConfigKeys} options.`)
const events = z
  .array(z.string().max(100))
  .max(100, 'Use at most 100 event names.')
  .describe(
    'Names of events and event groups, which are not case-sensitive. An empty list means `push`. Unknown names are ignored if at least ' +
      `one name is known and rejected otherwise. The names are ${acceptedEventNames.map(word => `\`${word}\``).join(', ')}.`,
  )
/**
 * A glob that selects the branches and tags whose pushes, creations, and deletions are sent. An empty filter
 * selects all of them.
 */
export const branchFilter = z
  .string()
  .trim()
  .pipe(
    line(500).superRefine((filter, issues) => {
      const problem = branchFilterProblem(filter)
      if (problem) issues.addIssue(problem)
    }),
  )
  .describe(
    'Glob for the branches and tags whose pushes, creations, and deletions are sent; `*` or an empty string matches all.',
  )
export const authorizationHeader = z
  .string()
  .trim()
  .pipe(
    z
      .string()
      .max(4096, 'Use at most 4096 characters.')
      .regex(/^[\t\x20-\x7e]*$/, 'Use only ASCII characters.'),
  )
  .describe('Sent as the `Authorization` header. Stored encrypted and never shown.')
export const name = z.string().trim().pipe(line(255))

const configOnCreation =
  '`url` and `content_type` (`json` or `form`) are required, as is `channel` for Slack. `url` must not contain a username ' +
  'or password. `secret` signs the requests; if it starts with `whsec_`, the rest must be base64. `username`, `icon_url`, ' +
  'and `color` are for Slack. `is_system_webhook` is for the site, whose webhooks are copied into new repositories unless ' +
  'it is `true`.'

/** Request body that creates a webhook. `active` defaults to false. */
export const CreateHookOption = z.object({
  type: filledLine(50, 'Specify a webhook type.').describe(`One of ${hookTypes.join(', ')}.`),
  config: config.describe(configOnCreation),
  branch_filter: branchFilter.optional(),
  name: name.optional(),
  events: events.optional(),
  authorization_header: authorizationHeader.optional(),
  active: strictBoolean.optional().describe('Defaults to `false`, which sends nothing.'),
})
export type CreateHookOption = z.output<typeof CreateHookOption>

/**
 * Request body that changes a webhook. Absent fields stay unchanged, also within `config`; an empty string
 * clears a field.
 */
export const EditHookOption = HookPath.extend({
  config: config
    .describe(
      '`url`, `content_type`, `secret`, and, for Slack, `channel`, `username`, `icon_url`, and `color`.',
    )
    .optional(),
  branch_filter: branchFilter.optional(),
  name: name.optional(),
  events: events.optional(),
  authorization_header: authorizationHeader.optional(),
  active: strictBoolean.optional(),
})
export type EditHookOption = z.output<typeof EditHookOption>
