import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { RunPath } from '../schema'
import { browseRuns, showDocument, showRunPage } from './browse'
import { showLogRows } from './log-rows'
import {
  BrowsedRuns,
  BrowseRunsInput,
  LogRows,
  LogRowsInput,
  RunPageAnswer,
  ShowRunInput,
  WorkflowDocument,
} from './schema'

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

  getDocument: openProcedure
    .input(RunPath)
    .output(WorkflowDocument)
    .query(({ ctx, input }) => showDocument(ctx, input)),
})
