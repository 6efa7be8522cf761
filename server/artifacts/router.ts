import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { contentsRouter } from './contents/router'
import { deleteLoaded } from './delete'
import { getArtifact } from './get'
import { listArtifacts, listRunArtifacts } from './list'
import { loadArtifact } from './load'
import { Artifact, ArtifactList, ArtifactPath, ListArtifactsInput, ListRunArtifactsInput } from './schema'

const at = '/repos/{owner}/{repo}/actions'
const common = { tag: 'actions', scopes: ['repository'] } as const
const read = { ...common, anonymous: true } as const
const hidden = {
  403: 'You do not have permission to read workflow runs.',
  404: 'The repository does not exist or is not visible to you.',
}
const noRun = { ...hidden, 404: 'The repository or run does not exist or is not visible to you.' }
const noArtifact = { ...hidden, 404: 'The repository or artifact does not exist or is not visible to you.' }

const ofArtifact = actingWith(ArtifactPath, (ctx, path) => loadArtifact(ctx, path, 'write'))

export const artifactsRouter = router({
  list: openProcedure
    .meta(
      rest('GET', `${at}/artifacts`, {
        ...read,
        summary: 'List artifacts for a repository, oldest first',
        errors: hidden,
      }),
    )
    .input(ListArtifactsInput)
    .output(ArtifactList)
    .query(({ ctx, input }) => listArtifacts(ctx, input)),

  listOfRun: openProcedure
    .meta(
      rest('GET', `${at}/runs/{run}/artifacts`, {
        ...read,
        summary: 'List artifacts from all attempts of a workflow run, oldest first',
        errors: noRun,
      }),
    )
    .input(ListRunArtifactsInput)
    .output(ArtifactList)
    .query(({ ctx, input }) => listRunArtifacts(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', `${at}/artifacts/{artifact_id}`, {
        ...read,
        summary: 'Get an artifact',
        errors: noArtifact,
      }),
    )
    .input(ArtifactPath)
    .output(Artifact)
    .query(({ ctx, input }) => getArtifact(ctx, input)),

  remove: ofArtifact
    .meta(
      rest('DELETE', `${at}/artifacts/{artifact_id}`, {
        ...common,
        job: 'actions',
        status: 204,
        summary: 'Delete an artifact and free up its name',
        errors: {
          ...noArtifact,
          403: 'You do not have permission to manage workflow runs, or the repository is archived.',
        },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => deleteLoaded(ctx, ctx.found)),

  contents: contentsRouter,
})
