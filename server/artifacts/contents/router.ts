import { loadRun } from '@/server/actions'
import { RunPath } from '@/server/actions/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { browseArtifacts, showArtifactPage } from './browse'
import { getMember, listMembers } from './members'
import { removeArtifacts } from './remove'
import {
  ArtifactPageAnswer,
  BrowseArtifactsInput,
  BrowsedArtifacts,
  ListedMembers,
  ListMembersInput,
  MemberPath,
  RemoveArtifactsInput,
  RemovedArtifacts,
  ShowArtifactInput,
  ShownMember,
} from './schema'

/** Procedures for the pages of artifacts. */
export const contentsRouter = router({
  browse: openProcedure
    .input(BrowseArtifactsInput)
    .output(BrowsedArtifacts)
    .query(({ ctx, input }) => browseArtifacts(ctx, input)),

  show: openProcedure
    .input(ShowArtifactInput)
    .output(ArtifactPageAnswer)
    .query(({ ctx, input }) => showArtifactPage(ctx, input)),

  listMembers: openProcedure
    .input(ListMembersInput)
    .output(ListedMembers)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  getMember: openProcedure
    .input(MemberPath)
    .output(ShownMember)
    .query(({ ctx, input }) => getMember(ctx, input)),

  remove: signedInWith(RunPath, (ctx, path) => loadRun(ctx, path, 'write'))
    .input(RemoveArtifactsInput)
    .output(RemovedArtifacts)
    .mutation(({ ctx, input }) => removeArtifacts(ctx, ctx.found, input)),
})
