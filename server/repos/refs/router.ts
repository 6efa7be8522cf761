import { z } from 'zod'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { loadRepository } from '../load'
import { writeCode } from '../policy'
import { RepoPath } from '../schema'
import { createBranch, moveBranch, renameBranch } from './branches'
import { createTag } from './create-tag'
import { deleteRefs } from './delete'
import {
  browseBranches,
  browseTags,
  getBranch,
  getPresentName,
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
  CreateBranchInput,
  CreateTagInput,
  DeletedRef,
  DeleteRefsInput,
  ListBranchesInput,
  ListRefsInput,
  MoveBranchInput,
  RenameBranchInput,
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
const refused = 'You do not have write access to the code.'
const loadWritable = (ctx: ServiceCtx, path: RepoPath) => loadRepository(ctx, path, writeCode)

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
    .input(ListBranchesInput)
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

  getPresentName: openProcedure
    .input(BranchPath)
    .output(z.string().nullable())
    .query(({ ctx, input }) => getPresentName(ctx, input)),

  create: actingWith(RepoPath, loadWritable)
    .meta(
      rest('POST', '/repos/{owner}/{repo}/branches', {
        ...written,
        status: 201,
        tail: false,
        summary: 'Create a branch',
        errors: {
          403: refused,
          404: 'The repository does not exist, is not visible to you, or is empty, or the starting point does not exist.',
          409: 'A branch or tag has this name, or Git cannot store the branch alongside an existing one.',
          422: 'Git does not allow this name.',
          423: archived,
        },
      }),
    )
    .input(CreateBranchInput)
    .output(Branch)
    .mutation(({ ctx, input }) => createBranch(ctx, ctx.found, input)),

  rename: actingWith(BranchPath, loadWritable)
    .meta(
      rest('PATCH', '/repos/{owner}/{repo}/branches/{branch}', {
        ...written,
        summary: 'Rename a branch',
        errors: {
          403: 'You do not have write access to the code, or the branch is the default branch and you do not administer the repository.',
          404: 'The repository or branch does not exist or is not visible to you.',
          409: 'Another push changed the branch concurrently, or Git cannot store the new name alongside an existing branch.',
          422: 'Git does not allow this name, or a branch has it already.',
          423: archived,
        },
      }),
    )
    .input(RenameBranchInput)
    .output(z.void())
    .mutation(({ ctx, input }) => renameBranch(ctx, ctx.found, input)),

  move: actingWith(BranchPath, loadWritable)
    .meta(
      rest('PUT', '/repos/{owner}/{repo}/branches/{branch}', {
        ...written,
        summary: 'Move a branch to another commit',
        errors: {
          403: refused,
          404: 'The repository, branch, or commit does not exist or is not visible to you.',
          409: 'Another push changed the branch concurrently.',
          422: 'The branch does not point to `old_commit_id`, or commits would leave it and `force` is not set.',
          423: archived,
        },
      }),
    )
    .input(MoveBranchInput)
    .output(z.void())
    .mutation(({ ctx, input }) => moveBranch(ctx, ctx.found, input)),

  remove: actingWith(BranchPath, loadWritable)
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

  create: actingWith(RepoPath, loadWritable)
    .meta(
      rest('POST', '/repos/{owner}/{repo}/tags', {
        ...written,
        status: 201,
        tail: false,
        summary: 'Create a tag',
        errors: {
          403: refused,
          404: 'The repository does not exist, is not visible to you, or is empty, or the target does not exist.',
          409: 'A tag has this name, or Git cannot store the tag alongside an existing one.',
          422: 'Git does not allow this name.',
          423: archived,
        },
      }),
    )
    .input(CreateTagInput)
    .output(Tag)
    .mutation(({ ctx, input }) => createTag(ctx, ctx.found, input)),

  remove: actingWith(TagPath, loadWritable)
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
