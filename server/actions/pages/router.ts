import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rerun } from '../attempts'
import { cancelRun } from '../cancel-run'
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
  RerunInput,
  RunPageAnswer,
  ShowJobInput,
  ShowRunInput,
  WorkflowDocument,
} from './schema'
import { showJobPage } from './show-job'

const ofRun = signedInWith(RunPath, (ctx, path) => loadRun(ctx, path, 'write'))
const chosenBy = ({ jobs }: RerunInput): Parameters<typeof rerun>[2] =>
  jobs === 'all' ? {} : { jobs: jobs === 'failed' ? jobs : [jobs] }

/** Procedures for the pages of workflow runs. */
export const actionPagesRouter = router({
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

  cancel: ofRun.mutation(({ ctx }) => cancelRun(ctx, ctx.found)),

  rerun: ofRun
    .input(RerunInput)
    .mutation(({ ctx, input }) => rerun(ctx, ctx.found, chosenBy(input)).then(() => undefined)),

  getDocument: openProcedure
    .input(RunPath)
    .output(WorkflowDocument)
    .query(({ ctx, input }) => showDocument(ctx, input)),
})
