import { z } from 'zod'
import { loadMarkdown } from '@/server/kernel/markdown'
import { highlightBlocks } from '@/server/kernel/rendering'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { loadRelease, loadReleaseByTag, loadReleases } from '../load'
import { ReleasePath, TagPath } from '../schema'
import { browseReleases, showLatestRelease, showReleasePage } from './browse'
import { listShownAssets, showEdited } from './edited'
import { notesOptions } from './notes'
import {
  BrowsedReleases,
  BrowseReleasesInput,
  EditorAnswer,
  LatestRelease,
  Preview,
  PreviewInput,
  ReleasePageAnswer,
  ShownAsset,
} from './schema'

const written = signedInWith(RepoPath, (ctx, path) => loadReleases(ctx, path, 'write'))
const ofRelease = signedInWith(ReleasePath, (ctx, path) => loadRelease(ctx, path, 'write'))
const ofTag = signedInWith(TagPath, (ctx, path) => loadReleaseByTag(ctx, path, 'write'))

/** The tRPC procedures for the pages of releases. */
export const manageReleasesRouter = router({
  browse: openProcedure
    .input(BrowseReleasesInput)
    .output(BrowsedReleases)
    .query(({ ctx, input }) => browseReleases(ctx, input)),

  show: openProcedure
    .input(TagPath)
    .output(ReleasePageAnswer)
    .query(({ ctx, input }) => showReleasePage(ctx, input)),

  showLatest: openProcedure
    .input(RepoPath)
    .output(LatestRelease.nullable())
    .query(({ ctx, input }) => showLatestRelease(ctx, input)),

  getEdited: ofTag.output(EditorAnswer).query(({ ctx }) => showEdited(ctx, ctx.found)),

  listAssets: ofRelease.output(z.array(ShownAsset)).query(({ ctx }) => listShownAssets(ctx, ctx.found)),

  preview: written
    .input(PreviewInput)
    .output(Preview)
    .query(async ({ ctx, input: { text } }) => {
      const { renderMarkdown } = await loadMarkdown()
      const html = renderMarkdown(text, await notesOptions(ctx, ctx.found, [text]))
      return { html: await highlightBlocks(html) }
    }),
})
