import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { showCommits } from './commit-list'
import { showDivergence } from './divergence'
import { explainMissing, findRenamedComparison } from './missing'
import { listPaths } from './paths'
import { showLanguages, showRoot } from './root'
import {
  CodePage,
  CodeRoot,
  CommitListInput,
  CommitListPage,
  DivergenceInput,
  Divergences,
  LanguageShares,
  LastCommits,
  LastCommitsInput,
  MissingCode,
  PathList,
  RenamedComparison,
  ShowCommitInput,
  ShowComparisonInput,
  ShownCommit,
  ShownComparison,
  ShowPathInput,
} from './schema'
import { showLastCommits, showPath } from './show'
import { showCommit, showComparison } from './show-diff'

/** Procedures of the pages that show code. */
export const codePagesRouter = router({
  showPath: openProcedure
    .input(ShowPathInput)
    .output(CodePage)
    .query(({ ctx, input }) => showPath(ctx, input)),

  explainMissing: openProcedure
    .input(ShowPathInput.pick({ owner: true, repo: true, kind: true, path: true }))
    .output(MissingCode)
    .query(({ ctx, input }) => explainMissing(ctx, input)),

  showRoot: openProcedure
    .input(RepoPath)
    .output(CodeRoot)
    .query(({ ctx, input }) => showRoot(ctx, input)),

  showLanguages: openProcedure
    .input(RepoPath)
    .output(LanguageShares)
    .query(({ ctx, input }) => showLanguages(ctx, input)),

  lastCommits: openProcedure
    .input(LastCommitsInput)
    .output(LastCommits)
    .query(({ ctx, input }) => showLastCommits(ctx, input)),

  showCommits: openProcedure
    .input(CommitListInput)
    .output(CommitListPage)
    .query(({ ctx, input }) => showCommits(ctx, input)),

  showCommit: openProcedure
    .input(ShowCommitInput)
    .output(ShownCommit)
    .query(({ ctx, input }) => showCommit(ctx, input)),

  showComparison: openProcedure
    .input(ShowComparisonInput)
    .output(ShownComparison)
    .query(({ ctx, input }) => showComparison(ctx, input)),

  findRenamedComparison: openProcedure
    .input(ShowComparisonInput.pick({ owner: true, repo: true, basehead: true }))
    .output(RenamedComparison.nullable())
    .query(({ ctx, input }) => findRenamedComparison(ctx, input)),

  showDivergence: openProcedure
    .input(RepoPath.extend(DivergenceInput.shape))
    .output(Divergences)
    .query(({ ctx, input }) => showDivergence(ctx, input)),

  listPaths: openProcedure
    .input(LastCommitsInput.pick({ owner: true, repo: true, commit: true }))
    .output(PathList)
    .query(({ ctx, input }) => listPaths(ctx, input)),
})
