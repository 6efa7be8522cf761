import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, paragraph, queryText, tooLong, treePath, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath, Repository } from '@/server/repos/schema'
import { User } from '@/server/users/schema'

const statusStates = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const
const StatusState = z.enum(statusStates)
export type StatusState = z.output<typeof StatusState>

const maxContextLength = 255
export const maxDescriptionLength = 1024
const maxTargetUrlLength = 2048

const sha = treePath.describe('A branch, a tag, or a commit ID of at least seven digits.')

export const StatusPath = RepoPath.extend({ sha })

export const CreateStatusOption = z.object({
  state: StatusState,
  context: z
    .string()
    .trim()
    .pipe(line(maxContextLength))
    .default('')
    .describe('What was checked. The newest status of each context counts.'),
  description: z.string().trim().pipe(paragraph(maxDescriptionLength)).default(''),
  target_url: z
    .string()
    .trim()
    .max(maxTargetUrlLength, tooLong(maxTargetUrlLength))
    .refine(
      text => text === '' || (URL.canParse(text) && /^https?:\/\//i.test(text)),
      'The URL must start with https:// or http://.',
    )
    .default('')
    .describe('Where to read more, such as the log of a build.'),
})
export type CreateStatusOption = z.output<typeof CreateStatusOption>

export const CommitStatus = z
  .object({
    id: wireId.describe('Number of the status within the commit.'),
    status: StatusState,
    context: z.string(),
    description: z.string(),
    target_url: z.string(),
    url: z.string(),
    creator: User,
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
  })
  .meta({ id: 'CommitStatus' })
export type CommitStatus = z.output<typeof CommitStatus>

export const CommitStatusPage = pageOf(CommitStatus)

const sorts = ['oldest', 'recentupdate', 'leastupdate', 'leastindex', 'highestindex'] as const

const filters = {
  ...pageInput,
  sort: queryText
    .optional()
    .meta({ override: { type: 'string', enum: [...sorts] } })
    .describe('Order of the statuses; newest first by default.'),
  state: queryText
    .optional()
    .transform(word => word || undefined)
    .pipe(StatusState.optional())
    .meta({ override: { type: 'string', enum: [...statusStates] } }),
}

export const ListStatusesInput = StatusPath.extend(filters)
export const ListStatusesOfRefInput = RepoPath.extend({ ref: sha, ...filters })
export type StatusFilter = Pick<z.output<typeof ListStatusesInput>, 'page' | 'limit' | 'sort' | 'state'>

export const CombinedStatusInput = RepoPath.extend({ ref: sha, ...pageInput })

export const CombinedState = z.enum(['pending', 'success', 'failure'])
export type CombinedState = z.output<typeof CombinedState>

export const CombinedStatus = z
  .object({
    state: CombinedState,
    sha: z.string(),
    total_count: z.int().describe('Number of contexts.'),
    statuses: z.array(CommitStatus).describe('The newest status of each context, newest first.'),
    repository: Repository,
    commit_url: z.string(),
    url: z.string(),
  })
  .meta({ id: 'CombinedStatus' })
export type CombinedStatus = z.output<typeof CombinedStatus>

/** Input of the states of commits that a page shows. */
export const StatesInput = RepoPath.extend({
  shas: z.array(z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)).max(100),
})
export type StatesInput = z.output<typeof StatesInput>

/** The combined state of each commit that has a status, by its ID. */
export const CommitStates = z.record(z.string(), z.enum(['pending', 'success', 'failure']))
export type CommitStates = z.output<typeof CommitStates>
