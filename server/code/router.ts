import { z } from 'zod'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getRepository } from '@/server/repos'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { compareCommits, getCommit } from './commits/get'
import { listCommits } from './commits/list'
import { getContents } from './contents'
import { loadCode } from './context'
import { codeEditRouter } from './edit/router'
import { getAnnotatedTag, getBlob, listGitRefs } from './git-data'
import { listLanguages } from './languages'
import { listLicensesOf } from './licenses'
import { codePagesRouter } from './pages/router'
import {
  AnnotatedTag,
  Commit,
  CommitPage,
  CommitPath,
  ComparePath,
  Comparison,
  Contents,
  ContentsPath,
  GitBlob,
  GitRef,
  GitTree,
  Languages,
  ListCommitsInput,
  ListInput,
  ObjectPath,
  PullRequestPage,
  RefPrefixPath,
  RootPath,
  TreePath,
} from './schema'
import { getTree } from './tree/get'
import { writeProcedures } from './write/router'

const at = '/repos/{owner}/{repo}'
const read = { tag: 'repository', scopes: ['repository'], anonymous: true, etag: true } as const
const kept = { ...read, shows: 'repositories' } as const
const hidden = {
  403: 'You do not have read access to the code.',
  404: 'The repository or revision does not exist or is not visible to you.',
  422: 'Git cannot read something that this needs: it is missing, damaged, or too large.',
}
const tooLong = { 429: 'The history is too long to be searched for this.' }
const wrongPath = { 400: 'No file of a repository can have this path.' }
const tooMany = { 422: 'The directory has too many entries, or Git cannot read it.' }

export const codeRouter = router({
  pages: codePagesRouter,
  edit: codeEditRouter,
  ...writeProcedures,

  getRootContents: openProcedure
    .meta(
      rest('GET', `${at}/contents`, {
        ...kept,
        summary: 'List the root directory of a repository',
        errors: { ...hidden, ...tooMany },
      }),
    )
    .input(RootPath)
    .output(z.union([Contents, z.array(Contents)]))
    .query(({ ctx, input }) => getContents(ctx, { ...input, path: '' })),

  getContents: openProcedure
    .meta(
      rest('GET', `${at}/contents/{path}`, {
        ...kept,
        tail: true,
        summary: 'Get a file, or list a directory',
        errors: { ...hidden, ...wrongPath, ...tooMany },
      }),
    )
    .input(ContentsPath)
    .output(z.union([Contents, z.array(Contents)]))
    .query(({ ctx, input }) => getContents(ctx, input)),

  getTree: openProcedure
    .meta(
      rest('GET', `${at}/git/trees/{sha}`, {
        ...kept,
        tail: true,
        totalIn: 'total_count',
        summary: 'Get a tree by its ID, or that of a commit, branch, or tag',
        errors: { ...hidden, 400: 'The tree does not exist.' },
      }),
    )
    .input(TreePath)
    .output(GitTree)
    .query(({ ctx, input }) => getTree(ctx, input)),

  getBlob: openProcedure
    .meta(
      rest('GET', `${at}/git/blobs/{sha}`, {
        ...read,
        summary: 'Get a blob',
        errors: { ...hidden, 400: 'The blob does not exist.' },
      }),
    )
    .input(ObjectPath)
    .output(GitBlob)
    .query(({ ctx, input }) => getBlob(ctx, input)),

  getAnnotatedTag: openProcedure
    .meta(
      rest('GET', `${at}/git/tags/{sha}`, {
        ...read,
        summary: 'Get an annotated tag by the ID of its object',
        errors: { ...hidden, 400: 'The tag object does not exist.' },
      }),
    )
    .input(ObjectPath)
    .output(AnnotatedTag)
    .query(({ ctx, input }) => getAnnotatedTag(ctx, input)),

  listAllGitRefs: openProcedure
    .meta(
      rest('GET', `${at}/git/refs`, {
        ...read,
        summary: 'List all branches and tags as refs',
        errors: hidden,
      }),
    )
    .input(RepoPath)
    .output(z.array(GitRef))
    .query(({ ctx, input }) => listGitRefs(ctx, input)),

  listGitRefs: openProcedure
    .meta(
      rest('GET', `${at}/git/refs/{ref}`, {
        ...read,
        tail: true,
        summary: 'List the refs that begin with a text such as heads/feature',
        errors: hidden,
      }),
    )
    .input(RefPrefixPath)
    .output(z.array(GitRef))
    .query(({ ctx, input }) => listGitRefs(ctx, input)),

  getCommit: openProcedure
    .meta(
      rest('GET', `${at}/git/commits/{sha}`, {
        ...kept,
        tail: true,
        summary: 'Get a commit',
        errors: { ...hidden, 422: 'No revision can have this name, or Git cannot read the commit.' },
      }),
    )
    .input(CommitPath)
    .output(Commit)
    .query(({ ctx, input }) => getCommit(ctx, input)),

  listCommits: openProcedure
    .meta(
      rest('GET', `${at}/commits`, {
        ...kept,
        page: 'links',
        pageNumbers: true,
        summary: 'List commits, newest first',
        errors: {
          ...hidden,
          ...wrongPath,
          ...tooLong,
          409: 'The repository is empty.',
          422: 'The time is invalid, or Git cannot read a commit.',
        },
      }),
    )
    .input(ListCommitsInput)
    .output(CommitPage)
    .query(({ ctx, input }) => listCommits(ctx, input)),

  getPullRequestOfCommit: openProcedure
    .meta(
      rest('GET', `${at}/commits/{sha}/pull`, {
        ...read,
        summary: 'Get the pull request that merged a commit',
        errors: { ...hidden, 404: 'There are no pull requests on this site.' },
      }),
    )
    .input(ObjectPath)
    .output(z.void())
    .query(async ({ ctx, input }) => {
      await loadCode(ctx, input)
      throw notFound('no pull request merged this commit: this site has no pull requests')
    }),

  listLicenses: openProcedure
    .meta(
      rest('GET', `${at}/licenses`, {
        ...read,
        summary: 'List the licenses of a repository',
        errors: hidden,
      }),
    )
    .input(RepoPath)
    .output(z.array(z.string()))
    .query(({ ctx, input }) => listLicensesOf(ctx, input)),

  listLanguages: openProcedure
    .meta(
      rest('GET', `${at}/languages`, {
        ...read,
        summary: 'List the languages of a repository, with their sizes in bytes',
        errors: hidden,
      }),
    )
    .input(RepoPath)
    .output(Languages)
    .query(({ ctx, input }) => listLanguages(ctx, input)),

  listPullRequests: openProcedure
    .meta(
      rest('GET', `${at}/pulls`, {
        ...read,
        page: 'links',
        summary: 'List the pull requests of a repository; this site has none',
        errors: hidden,
      }),
    )
    .input(ListInput)
    .output(PullRequestPage)
    .query(({ ctx, input }) => emptyPage(ctx, input)),

  compare: openProcedure
    .meta(
      rest('GET', `${at}/compare/{basehead}`, {
        ...read,
        tail: true,
        summary: 'Compare two revisions',
        errors: { ...hidden, ...tooLong, 422: 'The output is unknown.' },
      }),
    )
    .input(ComparePath)
    .output(Comparison)
    .query(({ ctx, input }) => compareCommits(ctx, input)),
})

// Clients that look for pull requests stop at a 404, but go on with an empty list.
async function emptyPage(
  ctx: ServiceCtx,
  input: z.output<typeof ListInput>,
): Promise<z.output<typeof PullRequestPage>> {
  await getRepository(ctx, input)
  return { page: input.page, limit: input.limit, total: 0, items: [] }
}
