import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getLatestRelease, getRelease, getReleaseByTag } from './get'
import { listReleases } from './list'
import { releasePagesRouter } from './pages/router'
import { ListReleasesInput, Release, ReleasePage, ReleasePath, TagPath } from './schema'

const at = '/repos/{owner}/{repo}/releases'
const common = { tag: 'repository', scopes: ['repository'] } as const
const read = { ...common, anonymous: true } as const
const hidden = { 403: 'You may not read the releases.', 404: 'No such repository, or not visible to you.' }
const noRelease = { ...hidden, 404: 'No such repository or release, or not visible to you.' }

// An id stands in the same place of the path as `latest` and `tags`, which come before it.
export const releasesRouter = router({
  pages: releasePagesRouter,

  list: openProcedure
    .meta(
      rest('GET', at, {
        ...read,
        page: 'links',
        summary: 'List the releases of a repository, newest first',
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
        summary: 'Get a release by the name of its tag',
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
})
