import { z } from 'zod'
import { loadScope } from '@/server/scopes'
import { ScopePath } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { changeRunner } from '../edit'
import { listRunnerJobs } from '../history'
import { loadRunner } from '../load'
import { resetRegistrationToken } from '../registration'
import { removeRunner } from '../remove'
import { RegistrationToken } from '../schema'
import { browseRunners, showRunner } from './browse'
import { pauseRunner, saveLabels } from './change'
import { browseDemand } from './demand'
import { previewLabels } from './preview-labels'
import { previewRemoval } from './removal'
import {
  BrowsedDemandList,
  BrowsedRunner,
  BrowsedRunnerPage,
  BrowseRunnersInput,
  LabelsPreview,
  PauseRunnerInput,
  PreviewLabelsInput,
  RegisteredSinceInput,
  RemovalPreview,
  RunnerHistoryInput,
  RunnerHistoryPage,
  SaveLabelsInput,
  ScopedRunnerPath,
  SetUp,
} from './schema'
import { listRegisteredSince, setUpRunners } from './set-up'

const inScope = signedInWith(ScopePath, (ctx, { scope }) => loadScope(ctx, scope))
const ofRunner = signedInWith(ScopedRunnerPath, (ctx, { scope, id }) => loadRunner(ctx, scope, id))

/** Procedures for the pages of runners, which are the same for every scope. */
export const manageRunnersRouter = router({
  browse: inScope
    .input(BrowseRunnersInput)
    .output(BrowsedRunnerPage)
    .query(({ ctx, input }) => browseRunners(ctx, ctx.found, input)),

  browseDemand: inScope.output(BrowsedDemandList).query(({ ctx }) => browseDemand(ctx, ctx.found)),

  get: ofRunner.output(BrowsedRunner).query(({ ctx }) => showRunner(ctx, ctx.found.runner)),

  pause: ofRunner
    .input(PauseRunnerInput)
    .output(BrowsedRunner)
    .mutation(async ({ ctx, input }) => showRunner(ctx, await pauseRunner(ctx, ctx.found, input))),

  resume: ofRunner
    .output(BrowsedRunner)
    .mutation(async ({ ctx }) =>
      showRunner(ctx, await changeRunner(ctx, ctx.found, () => ({ disabled: false }))),
    ),

  saveLabels: ofRunner
    .input(SaveLabelsInput)
    .output(BrowsedRunner)
    .mutation(async ({ ctx, input }) => showRunner(ctx, await saveLabels(ctx, ctx.found, input))),

  restoreLabels: ofRunner
    .output(BrowsedRunner)
    .mutation(async ({ ctx }) =>
      showRunner(ctx, await changeRunner(ctx, ctx.found, () => ({ labels_edited: false }))),
    ),

  remove: ofRunner.output(z.void()).mutation(({ ctx }) => removeRunner(ctx, ctx.found)),

  listJobs: ofRunner
    .input(RunnerHistoryInput)
    .output(RunnerHistoryPage)
    .query(({ ctx, input: { page, limit } }) => listRunnerJobs(ctx, ctx.found, { page, limit })),

  previewLabels: ofRunner
    .input(PreviewLabelsInput)
    .output(LabelsPreview)
    .query(({ ctx, input }) => previewLabels(ctx, ctx.found, input.labels)),

  previewRemoval: ofRunner.output(RemovalPreview).query(({ ctx }) => previewRemoval(ctx, ctx.found)),

  setUp: inScope.output(SetUp).query(({ ctx }) => setUpRunners(ctx, ctx.found)),

  listRegisteredSince: inScope
    .input(RegisteredSinceInput)
    .output(z.array(BrowsedRunner))
    .query(({ ctx, input }) => listRegisteredSince(ctx, ctx.found, input.last_id)),

  resetToken: inScope
    .output(RegistrationToken)
    .mutation(async ({ ctx }) => ({ token: await resetRegistrationToken(ctx, ctx.found) })),
})
