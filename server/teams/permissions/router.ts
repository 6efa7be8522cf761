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

/** tRPC procedures that preview and set a team's permissions. */
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
