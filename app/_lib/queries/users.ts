import { queryOptions } from '@tanstack/react-query'
import type { Candidate } from '@/server/users/schema'
import type { ListChoice } from '../list-choice'
import type { userList } from '../lists'
import { trpc } from '../trpc'

export const usersKey = ['users'] as const

export const usersQuery = (choice: ListChoice<typeof userList>) =>
  queryOptions({ queryKey: [...usersKey, choice], queryFn: () => trpc.users.browse.query(choice) })

/** Returns the current reasons why an account can't be deleted. */
export const deletionObstaclesQuery = (username: string) =>
  queryOptions({
    queryKey: ['deletion-obstacles', username],
    queryFn: () => trpc.users.listDeletionObstacles.query({ username }),
    meta: { isAsked: true },
    staleTime: 0,
    gcTime: 0,
  })

/** Returns what would be deleted along with an account and everything it owns. */
export const purgeQuery = (username: string) =>
  queryOptions({
    queryKey: ['purge', username],
    queryFn: () => trpc.removals.previewPurge.query({ username }),
    meta: { isAsked: true },
    // What people confirm is what they read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const candidatesKey = ['candidates'] as const

/** Purpose of a search for people. It determines who can't be selected, and why. */
export type PeopleToFind =
  | { for: 'anything' }
  | { for: 'team'; id: number }
  | { for: 'repository'; owner: string; repo: string }
  | { for: 'block'; org: string | undefined }

/** Returns a few people whose name contains the text. */
export const candidatesQuery = (find: PeopleToFind, q: string) =>
  queryOptions({
    queryKey: [...candidatesKey, find, q],
    queryFn: () => findCandidates(find, q),
    meta: { isAsked: true },
  })

async function findCandidates(find: PeopleToFind, q: string): Promise<Candidate[]> {
  switch (find.for) {
    case 'team':
      return await trpc.teams.listCandidates.query({ id: find.id, q })
    case 'repository':
      return await trpc.repos.collaborators.listCandidates.query({ owner: find.owner, repo: find.repo, q })
    case 'block':
      return await trpc.blocks.listCandidates.query({ org: find.org, q })
    case 'anything': {
      const { items } = await trpc.users.search.query({ q, limit: 8 })
      return items.map(user => ({ user, obstacle: null }))
    }
  }
}
