import { signedInWith } from '@/server/trpc/procedures'
import { setPermissions } from '../edit'
import { loadTeam } from '../load'
import {
  MemberPreview,
  PreviewMemberInput,
  PreviewTeamInput,
  SetPermissionsInput,
  Team,
  TeamPath,
  TeamPreview,
} from '../schema'
import { previewMember, previewTeam } from './preview'

const ownedTeam = signedInWith(TeamPath, (ctx, { id }) => loadTeam(ctx, id, 'ownership'))

/** The part of the teams' router that is about what they may do. */
export const permissionProcedures = {
  preview: ownedTeam
    .input(PreviewTeamInput)
    .output(TeamPreview)
    .query(({ ctx, input }) => previewTeam(ctx, ctx.found, input)),

  previewMember: ownedTeam
    .input(PreviewMemberInput)
    .output(MemberPreview)
    .query(({ ctx, input }) => previewMember(ctx, ctx.found, input)),

  setPermissions: ownedTeam
    .input(SetPermissionsInput)
    .output(Team)
    .mutation(({ ctx, input }) => setPermissions(ctx, ctx.found, input)),
}
