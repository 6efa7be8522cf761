import { openProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { RepositoryPage } from '../schema'
import { browseRepositories } from './browse'
import { listMyRepositories, listOrgRepositories, listUserRepositories } from './list'
import {
  BrowsedRepositoryPage,
  BrowseReposInput,
  ListMyReposInput,
  ListOrgReposInput,
  ListUserReposInput,
  SearchReposInput,
} from './schema'
import { searchRepositories } from './search'

const repository = { tag: 'repository', scopes: ['repository'] } as const
const own = { tag: 'repository', scopes: ['user', 'repository'] } as const
const open = { anonymous: true } as const

/** Router procedures that list and search repositories. */
export const listProcedures = {
  listMine: signedInProcedure
    .meta(
      rest('GET', '/user/repos', {
        ...own,
        page: 'links',
        summary: 'List your repositories and those shared with you',
      }),
    )
    .input(ListMyReposInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => listMyRepositories(ctx, input)),

  listOf: openProcedure
    .meta(
      rest('GET', '/users/{username}/repos', {
        formerNames: true,
        ...own,
        ...open,
        page: 'links',
        summary: "List a user's repositories",
        errors: { 404: 'The user does not exist or is not visible to you.' },
      }),
    )
    .input(ListUserReposInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => listUserRepositories(ctx, input)),

  listOfOrg: openProcedure
    .meta(
      rest('GET', '/orgs/{org}/repos', {
        tag: 'organization',
        scopes: ['organization'],
        ...open,
        page: 'links',
        summary: "List an organization's repositories",
        errors: { 404: 'The organization does not exist or is not visible to you.' },
      }),
    )
    .input(ListOrgReposInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => listOrgRepositories(ctx, input)),

  browse: openProcedure
    .input(BrowseReposInput)
    .output(BrowsedRepositoryPage)
    .query(({ ctx, input }) => browseRepositories(ctx, input)),

  search: openProcedure
    .meta(
      rest('GET', '/repos/search', {
        shows: 'site',
        ...repository,
        ...open,
        page: 'links',
        envelope: true,
        summary: 'Search repositories',
        errors: { 422: 'The mode, sort, or order is invalid.' },
      }),
    )
    .input(SearchReposInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => searchRepositories(ctx, input)),
}
