import { z } from 'zod'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { Candidate, User } from '@/server/users/schema'
import { loadTeam } from '../load'
import { done, noSuchTeam, team } from '../rest'
import {
  BrowseMembersInput,
  TeamCandidatesInput,
  TeamListInput,
  TeamMemberPage,
  TeamMemberPath,
  TeamPath,
} from '../schema'
import { addMember } from './add'
import { browseMembers, getMember, listMembers, listTeamCandidates } from './list'
import { removeMember } from './remove'

const ownedTeam = signedInWith(TeamPath, (ctx, { id }) => loadTeam(ctx, id, 'ownership'))

/** tRPC procedures and REST endpoints for a team's members. */
export const memberProcedures = {
  listMembers: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/members', {
        ...team,
        page: 'links',
        summary: "List a team's members",
        errors: { 404: noSuchTeam },
      }),
    )
    .input(TeamListInput)
    .output(TeamMemberPage)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  browseMembers: signedInProcedure
    .input(BrowseMembersInput)
    .output(TeamMemberPage)
    .query(({ ctx, input }) => browseMembers(ctx, input)),

  getMember: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/members/{username}', {
        ...team,
        summary: 'Get a member of a team',
        errors: {
          404: `${noSuchTeam} This status is also returned if the user is not a member of the team.`,
        },
      }),
    )
    .input(TeamMemberPath)
    .output(User)
    .query(({ ctx, input }) => getMember(ctx, input)),

  addMember: ownedTeam
    .meta(
      rest('PUT', '/teams/{id}/members/{username}', {
        ...done,
        summary: 'Add a member to a team and to its organization',
        errors: {
          403: 'You do not own the organization, or the user has blocked or been blocked by you or the organization.',
          404: `${noSuchTeam} This status is also returned if the user does not exist.`,
        },
      }),
    )
    .input(TeamMemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => addMember(ctx, ctx.found, input.username)),

  removeMember: signedInProcedure
    .meta(
      rest('DELETE', '/teams/{id}/members/{username}', {
        ...done,
        summary: 'Remove a member from a team; a member of no other team also leaves the organization',
        errors: {
          403: 'You do not own the organization and are not the member.',
          404: `${noSuchTeam} This status is also returned if the user does not exist.`,
          422: 'The user is the last member of the Owners team.',
        },
      }),
    )
    .input(TeamMemberPath)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeMember(ctx, input)
    }),

  listCandidates: ownedTeam
    .input(TeamCandidatesInput)
    .output(z.array(Candidate))
    .query(({ ctx, input }) => listTeamCandidates(ctx, ctx.found, input.q)),
}
