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

/** The part of the teams' router that is about their members. */
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
        errors: { 404: `${noSuchTeam} Or the user is not in it.` },
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
          403: 'You do not own the organization, or a block stands between the user and it or you.',
          404: `${noSuchTeam} Or no such user.`,
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
        summary: 'Remove a member from a team; with their last team they leave the organization',
        errors: {
          403: 'You do not own the organization, and it is not yourself.',
          404: `${noSuchTeam} Or no such user.`,
          422: 'The last member of the Owners team.',
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
