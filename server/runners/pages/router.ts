import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { PlacePath } from '@/server/places/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { changeRunner } from '../edit'
import { listRunnerJobs } from '../history'
import { loadRunner } from '../load'
import { issueRegistrationToken, resetRegistrationToken } from '../registration'
import { removeRunner } from '../remove'
import { RegistrationToken } from '../schema'
import { browseRunners, showRunner } from './browse'
import { previewLabels } from './preview-labels'
import {
  BrowsedRunner,
  BrowsedRunnerPage,
  BrowseRunnersInput,
  LabelsPreview,
  PlacedRunnerPath,
  PreviewLabelsInput,
  RunnerHistoryInput,
  RunnerHistoryPage,
  SetRunnerInput,
} from './schema'

const inPlace = signedInWith(PlacePath, (ctx, { place }) => loadPlace(ctx, place))
const ofRunner = signedInWith(PlacedRunnerPath, (ctx, { place, id }) => loadRunner(ctx, place, id))

/** Procedures for the pages of runners, the same for every place. */
export const runnerPagesRouter = router({
  browse: inPlace
    .input(BrowseRunnersInput)
    .output(BrowsedRunnerPage)
    .query(({ ctx, input }) => browseRunners(ctx, ctx.found, input)),

  get: ofRunner.output(BrowsedRunner).query(({ ctx }) => showRunner(ctx, ctx.found.runner)),

  set: ofRunner
    .input(SetRunnerInput)
    .output(BrowsedRunner)
    .mutation(async ({ ctx, input }) => showRunner(ctx, await changeRunner(ctx, ctx.found, () => input))),

  remove: ofRunner.output(z.void()).mutation(({ ctx }) => removeRunner(ctx, ctx.found)),

  listJobs: ofRunner
    .input(RunnerHistoryInput)
    .output(RunnerHistoryPage)
    .query(({ ctx, input: { page, limit } }) => listRunnerJobs(ctx, ctx.found, { page, limit })),

  previewLabels: ofRunner
    .input(PreviewLabelsInput)
    .output(LabelsPreview)
    .query(({ ctx, input }) => previewLabels(ctx, ctx.found, input.labels)),

  token: inPlace
    .output(RegistrationToken)
    .query(async ({ ctx }) => ({ token: await issueRegistrationToken(ctx, ctx.found) })),

  resetToken: inPlace
    .output(RegistrationToken)
    .mutation(async ({ ctx }) => ({ token: await resetRegistrationToken(ctx, ctx.found) })),
})
