import { renderMarkdown } from '@/server/kernel/markdown'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { loadReleases } from '../load'
import { TagPath } from '../schema'
import { browseReleases, showReleasePage } from './browse'
import { BrowsedReleases, BrowseReleasesInput, Preview, PreviewInput, ReleasePageAnswer } from './schema'

const written = signedInWith(RepoPath, (ctx, path) => loadReleases(ctx, path, 'write'))

/** What pages ask of releases. */
export const releasePagesRouter = router({
  browse: openProcedure
    .input(BrowseReleasesInput)
    .output(BrowsedReleases)
    .query(({ ctx, input }) => browseReleases(ctx, input)),

  show: openProcedure
    .input(TagPath)
    .output(ReleasePageAnswer)
    .query(({ ctx, input }) => showReleasePage(ctx, input)),

  preview: written
    .input(PreviewInput)
    .output(Preview)
    .query(({ ctx, input }) => ({ html: renderMarkdown(input.text, ctx.config) })),
})
