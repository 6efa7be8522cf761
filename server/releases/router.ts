import { z } from 'zod'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { uploadLimits } from './assets/limits'
import { assetsRouter } from './assets/router'
import { UploadLimits } from './assets/schema'
import { createRelease } from './create'
import { editRelease, saveRelease } from './edit'
import { getLatestRelease, getRelease, getReleaseByTag } from './get'
import { listReleases } from './list'
import { loadRelease, loadReleaseByTag, loadReleases } from './load'
import { manageReleasesRouter } from './manage/router'
import { removeRelease } from './remove'
import {
  CreateReleaseOption,
  EditReleaseOption,
  ListReleasesInput,
  Release,
  ReleasePage,
  ReleasePath,
  SaveReleaseInput,
  TagPath,
} from './schema'
import { uploadsRouter } from './uploads/router'

const at = '/repos/{owner}/{repo}/releases'
const common = { tag: 'repository', scopes: ['repository'] } as const
const change = { ...common, job: 'contents' } as const
const read = { ...common, anonymous: true } as const
const hidden = {
  403: 'You do not have permission to read releases.',
  404: 'The repository does not exist or is not visible to you.',
}
const noRelease = { ...hidden, 404: 'The repository or release does not exist or is not visible to you.' }
const readOnly = 'You do not have permission to write releases, or the repository is archived.'
const notMade = {
  409: 'Another release already uses this tag.',
  422: 'The repository is empty, or the input is invalid.',
}

const inRepository = actingWith(RepoPath, (ctx, path) => loadReleases(ctx, path, 'write'))
const ofRelease = actingWith(ReleasePath, (ctx, path) => loadRelease(ctx, path, 'write'))
const ofTag = actingWith(TagPath, (ctx, path) => loadReleaseByTag(ctx, path, 'write'))

// `latest` and `tags` must precede `{id}`, which would otherwise match them.
export const releasesRouter = router({
  manage: manageReleasesRouter,
  assets: assetsRouter,
  uploads: uploadsRouter,

  uploadLimits: openProcedure
    .input(z.void())
    .output(UploadLimits)
    .query(({ ctx }) => uploadLimits(ctx)),

  list: openProcedure
    .meta(
      rest('GET', at, {
        ...read,
        page: 'links',
        summary: "List a repository's releases, newest first",
        errors: hidden,
      }),
    )
    .input(ListReleasesInput)
    .output(ReleasePage)
    .query(({ ctx, input }) => listReleases(ctx, input)),

  getLatest: openProcedure
    .meta(
      rest('GET', `${at}/latest`, {
        ...read,
        summary: 'Get the newest release that is neither a draft nor a pre-release',
        errors: noRelease,
      }),
    )
    .input(RepoPath)
    .output(Release)
    .query(({ ctx, input }) => getLatestRelease(ctx, input)),

  getByTag: openProcedure
    .meta(
      rest('GET', `${at}/tags/{tag}`, {
        ...read,
        tail: true,
        summary: 'Get a release by tag name',
        errors: noRelease,
      }),
    )
    .input(TagPath)
    .output(Release)
    .query(({ ctx, input }) => getReleaseByTag(ctx, input)),

  get: openProcedure
    .meta(rest('GET', `${at}/{id}`, { ...read, summary: 'Get a release', errors: noRelease }))
    .input(ReleasePath)
    .output(Release)
    .query(({ ctx, input }) => getRelease(ctx, input)),

  create: inRepository
    .meta(
      rest('POST', at, {
        ...change,
        status: 201,
        summary: 'Create a release, and its tag if the tag does not exist',
        errors: {
          ...notMade,
          403: readOnly,
          404: 'The repository does not exist or is not visible to you, or the target does not exist.',
        },
      }),
    )
    .input(CreateReleaseOption)
    .output(Release)
    .mutation(({ ctx, input }) => createRelease(ctx, ctx.found, input)),

  edit: ofRelease
    .meta(
      rest('PATCH', `${at}/{id}`, {
        ...change,
        summary: 'Update a release',
        errors: {
          ...notMade,
          403: readOnly,
          404: 'The repository or release does not exist or is not visible to you, or the target does not exist.',
        },
      }),
    )
    .input(EditReleaseOption)
    .output(Release)
    .mutation(({ ctx, input }) => editRelease(ctx, ctx.found, input)),

  removeByTag: ofTag
    .meta(
      rest('DELETE', `${at}/tags/{tag}`, {
        ...change,
        tail: true,
        status: 204,
        summary: 'Delete a release and its files by tag name; the tag is kept',
        errors: { ...noRelease, 403: readOnly },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeRelease(ctx, ctx.found)),

  remove: ofRelease
    .meta(
      rest('DELETE', `${at}/{id}`, {
        ...change,
        status: 204,
        summary: 'Delete a release and its files; the tag is kept',
        errors: { ...noRelease, 403: readOnly },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeRelease(ctx, ctx.found)),

  save: ofRelease
    .input(SaveReleaseInput)
    .output(Release)
    .mutation(({ ctx, input }) => saveRelease(ctx, ctx.found, input)),
})
