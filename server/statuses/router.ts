import { router } from '@/server/trpc/init'
import { actingWith, openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { createStatus } from './create'
import { getCombinedStatus, listStates, listStatuses } from './list'
import { loadReportable } from './load'
import {
  CombinedStatus,
  CombinedStatusInput,
  CommitStates,
  CommitStatus,
  CommitStatusPage,
  CreateStatusOption,
  ListStatusesInput,
  ListStatusesOfRefInput,
  StatesInput,
  StatusPath,
} from './schema'

const at = '/repos/{owner}/{repo}'
const common = { tag: 'repository', scopes: ['repository'] } as const
const read = { ...common, anonymous: true } as const
const hidden = {
  403: 'You do not have read access to the code.',
  404: 'The repository or commit does not exist or is not visible to you.',
}
const ofCommit = actingWith(StatusPath, loadReportable)

export const statusesRouter = router({
  create: ofCommit
    .meta(
      rest('POST', `${at}/statuses/{sha}`, {
        ...common,
        job: ['statuses', 'contents'],
        status: 201,
        tail: true,
        summary: 'Report a status of a commit',
        errors: {
          ...hidden,
          403: 'You do not have permission to write the code.',
          422: 'The input is invalid, or the commit has too many statuses.',
        },
      }),
    )
    .input(CreateStatusOption)
    .output(CommitStatus)
    .mutation(({ ctx, input }) => createStatus(ctx, ctx.found, input)),

  list: openProcedure
    .meta(
      rest('GET', `${at}/statuses/{sha}`, {
        ...read,
        page: 'links',
        tail: true,
        summary: 'List the statuses of a commit, newest first',
        errors: hidden,
      }),
    )
    .input(ListStatusesInput)
    .output(CommitStatusPage)
    .query(({ ctx, input: { sha, ...input } }) => listStatuses(ctx, { ...input, ref: sha })),

  listOfRef: openProcedure
    .meta(
      rest('GET', `${at}/commits/{ref}/statuses`, {
        ...read,
        page: 'links',
        summary: 'List the statuses of the commit that a branch, tag, or ID names, newest first',
        errors: hidden,
      }),
    )
    .input(ListStatusesOfRefInput)
    .output(CommitStatusPage)
    .query(({ ctx, input }) => listStatuses(ctx, input)),

  /** For pages that list commits. */
  listStates: openProcedure
    .input(StatesInput)
    .output(CommitStates)
    .query(({ ctx, input }) => listStates(ctx, input)),

  getCombined: openProcedure
    .meta(
      rest('GET', `${at}/commits/{ref}/status`, {
        ...read,
        totalIn: 'total_count',
        summary: 'Get the combined status of a commit',
        errors: hidden,
      }),
    )
    .input(CombinedStatusInput)
    .output(CombinedStatus)
    .query(({ ctx, input }) => getCombinedStatus(ctx, input)),
})
