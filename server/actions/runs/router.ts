import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rerun } from '../attempts'
import { loadRun } from '../load'
import { RunPath } from '../schema'
import { browseRuns, showDocument, showRunPage } from './browse'
import { showLogRows } from './log-rows'
import {
  BrowsedRuns,
  BrowseRunsInput,
  JobPageAnswer,
  LogRows,
  LogRowsInput,
  RerunAnswer,
  RerunInput,
  RunPageAnswer,
  ShowJobInput,
  ShowRunInput,
  WorkflowDocument,
} from './schema'
import { showJobPage } from './show-job'

const selectedBy = ({ jobs }: RerunInput): Parameters<typeof rerun>[2] =>
  jobs === 'all' ? {} : { jobs: jobs === 'failed' ? jobs : [jobs] }

/** Procedures for the pages of workflow runs. */
export const runsRouter = router({
  browse: openProcedure
    .input(BrowseRunsInput)
    .output(BrowsedRuns)
    .query(({ ctx, input }) => browseRuns(ctx, input)),

  show: openProcedure
    .input(ShowRunInput)
    .output(RunPageAnswer)
    .query(({ ctx, input }) => showRunPage(ctx, input)),

  logRows: openProcedure
    .input(LogRowsInput)
    .output(LogRows)
    .query(({ ctx, input }) => showLogRows(ctx, input)),

  showJob: openProcedure
    .input(ShowJobInput)
    .output(JobPageAnswer)
    .query(({ ctx, input }) => showJobPage(ctx, input)),

  rerun: signedInWith(RunPath, (ctx, path) => loadRun(ctx, path, 'write'))
    .input(RerunInput)
    .output(RerunAnswer)
    .mutation(async ({ ctx, input }) => {
      const { attempt } = await rerun(ctx, ctx.found, selectedBy(input))
      return { attempt }
    }),

  getDocument: openProcedure
    .input(RunPath)
    .output(WorkflowDocument)
    .query(({ ctx, input }) => showDocument(ctx, input)),
})
