import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { RepoPath } from '../schema'
import { browseBranches, getBranch, getTag, listBranches, listBranchNames, listTags } from './list'
import {
  Branch,
  BranchNames,
  BranchPage,
  BranchPath,
  BranchTipPage,
  BrowseRefsInput,
  ListRefsInput,
  Tag,
  TagPage,
  TagPath,
} from './schema'

const common = { tag: 'repository', scopes: ['repository'], anonymous: true } as const
const hidden = { 403: 'You may not read the code.', 404: 'No such repository, or not visible to you.' }

export const branchesRouter = router({
  list: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/branches', {
        ...common,
        page: 'links',
        summary: 'List the branches of a repository',
        errors: hidden,
      }),
    )
    .input(ListRefsInput)
    .output(BranchPage)
    .query(({ ctx, input }) => listBranches(ctx, input)),

  browse: openProcedure
    .input(BrowseRefsInput)
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
        errors: { ...hidden, 404: 'No such repository or branch, or not visible to you.' },
      }),
    )
    .input(BranchPath)
    .output(Branch)
    .query(({ ctx, input }) => getBranch(ctx, input)),
})

export const tagsRouter = router({
  list: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/tags', {
        ...common,
        page: 'links',
        summary: 'List the tags of a repository',
        errors: hidden,
      }),
    )
    .input(ListRefsInput)
    .output(TagPage)
    .query(({ ctx, input }) => listTags(ctx, input)),

  browse: openProcedure
    .input(BrowseRefsInput)
    .output(TagPage)
    .query(({ ctx, input }) => listTags(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/tags/{tag}', {
        ...common,
        tail: true,
        summary: 'Get a tag',
        errors: { ...hidden, 404: 'No such repository or tag, or not visible to you.' },
      }),
    )
    .input(TagPath)
    .output(Tag)
    .query(({ ctx, input }) => getTag(ctx, input)),
})
