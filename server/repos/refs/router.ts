import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { loadRepository } from '../load'
import { writeCode } from '../policy'
import { RepoPath } from '../schema'
import { deleteRefs } from './delete'
import {
  browseBranches,
  browseTags,
  getBranch,
  getTag,
  listBranches,
  listBranchNames,
  listTags,
} from './list'
import {
  Branch,
  BranchNames,
  BranchPage,
  BranchPath,
  BranchTipPage,
  BrowseBranchesInput,
  BrowseTagsInput,
  DeletedRef,
  DeleteRefsInput,
  ListRefsInput,
  Tag,
  TagPage,
  TagPath,
  TagTipPage,
} from './schema'

const common = { tag: 'repository', scopes: ['repository'], anonymous: true } as const
const hidden = {
  403: 'You do not have read access to the code.',
  404: 'The repository does not exist or is not visible to you.',
}
const written = {
  tag: 'repository',
  scopes: ['repository'],
  job: 'contents',
  status: 204,
  tail: true,
} as const
const archived = 'The repository is archived.'

/** Router procedures for both branches and tags. */
export const refProcedures = {
  deleteRefs: signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, writeCode))
    .input(DeleteRefsInput)
    .output(z.array(DeletedRef))
    .mutation(({ ctx, input }) => deleteRefs(ctx, ctx.found, input)),
}

export const branchesRouter = router({
  list: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/branches', {
        ...common,
        page: 'links',
        summary: "List a repository's branches",
        errors: hidden,
      }),
    )
    .input(ListRefsInput)
    .output(BranchPage)
    .query(({ ctx, input }) => listBranches(ctx, input)),

  browse: openProcedure
    .input(BrowseBranchesInput)
    .output(BranchTipPage)
    .query(({ ctx, input }) => browseBranches(ctx, input)),

  listNames: openProcedure
    .input(RepoPath)
    .output(BranchNames)
    .query(({ ctx, input }) => listBranchNames(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/branches/{branch}', {
        ...common,
        tail: true,
        summary: 'Get a branch',
        errors: { ...hidden, 404: 'The repository or branch does not exist or is not visible to you.' },
      }),
    )
    .input(BranchPath)
    .output(Branch)
    .query(({ ctx, input }) => getBranch(ctx, input)),

  remove: actingWith(BranchPath, (ctx, path) => loadRepository(ctx, path, writeCode))
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/branches/{branch}', {
        ...written,
        summary: 'Delete a branch',
        errors: {
          403: 'You do not have write access to the code, or the branch is the default branch.',
          404: 'The repository or branch does not exist or is not visible to you.',
          409: 'Another push changed the branch concurrently.',
          423: archived,
        },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await deleteRefs(ctx, ctx.found, { kind: 'branch', names: [input.branch] })
    }),
})

export const tagsRouter = router({
  list: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/tags', {
        ...common,
        page: 'links',
        summary: "List a repository's tags",
        errors: hidden,
      }),
    )
    .input(ListRefsInput)
    .output(TagPage)
    .query(({ ctx, input }) => listTags(ctx, input)),

  browse: openProcedure
    .input(BrowseTagsInput)
    .output(TagTipPage)
    .query(({ ctx, input }) => browseTags(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/tags/{tag}', {
        ...common,
        tail: true,
        summary: 'Get a tag',
        errors: { ...hidden, 404: 'The repository or tag does not exist or is not visible to you.' },
      }),
    )
    .input(TagPath)
    .output(Tag)
    .query(({ ctx, input }) => getTag(ctx, input)),

  remove: actingWith(TagPath, (ctx, path) => loadRepository(ctx, path, writeCode))
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/tags/{tag}', {
        ...written,
        summary: 'Delete a tag',
        errors: {
          403: 'You do not have write access to the code.',
          404: 'The repository or tag does not exist or is not visible to you.',
          409: 'A release or draft uses this tag, or another push changed the tag concurrently.',
          423: archived,
        },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await deleteRefs(ctx, ctx.found, { kind: 'tag', names: [input.tag] })
    }),
})
