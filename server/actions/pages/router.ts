import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { RunPath } from '../schema'
import { browseRuns, showDocument, showRunPage } from './browse'
import { BrowsedRuns, BrowseRunsInput, RunPageAnswer, ShowRunInput, WorkflowDocument } from './schema'

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

  getDocument: openProcedure
    .input(RunPath)
    .output(WorkflowDocument)
    .query(({ ctx, input }) => showDocument(ctx, input)),
})
