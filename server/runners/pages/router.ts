import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { PlacePath } from '@/server/places/schema'
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
  PlacedRunnerPath,
  PreviewLabelsInput,
  RegisteredSinceInput,
  RemovalPreview,
  RunnerHistoryInput,
  RunnerHistoryPage,
  SaveLabelsInput,
  SetUp,
} from './schema'
import { listRegisteredSince, setUpRunners } from './set-up'

const inPlace = signedInWith(PlacePath, (ctx, { place }) => loadPlace(ctx, place))
const ofRunner = signedInWith(PlacedRunnerPath, (ctx, { place, id }) => loadRunner(ctx, place, id))

/** Procedures for the pages of runners, the same for every place. */
export const runnerPagesRouter = router({
  browse: inPlace
    .input(BrowseRunnersInput)
    .output(BrowsedRunnerPage)
    .query(({ ctx, input }) => browseRunners(ctx, ctx.found, input)),

  browseDemand: inPlace.output(BrowsedDemandList).query(({ ctx }) => browseDemand(ctx, ctx.found)),

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

  setUp: inPlace.output(SetUp).query(({ ctx }) => setUpRunners(ctx, ctx.found)),

  listRegisteredSince: inPlace
    .input(RegisteredSinceInput)
    .output(z.array(BrowsedRunner))
    .query(({ ctx, input }) => listRegisteredSince(ctx, ctx.found, input.last_id)),

  resetToken: inPlace
    .output(RegistrationToken)
    .mutation(async ({ ctx }) => ({ token: await resetRegistrationToken(ctx, ctx.found) })),
})
