import { queryOptions } from '@tanstack/react-query'
import type { Candidate, ListUsersInput } from '@/server/users/schema'
import { trpc } from '../trpc'

export const usersKey = ['users'] as const

export const usersQuery = (input: Partial<ListUsersInput>) =>
  queryOptions({ queryKey: [...usersKey, input], queryFn: () => trpc.users.list.query(input) })

export const candidatesKey = ['candidates'] as const

/** What somebody is looked for: it tells who cannot be chosen, and why. */
export type PeopleToFind =
  | { for: 'anything' }
  | { for: 'team'; id: number }
  | { for: 'repository'; owner: string; repo: string }
  | { for: 'block'; org: string | undefined }

/** People whose name holds the text, a few at most. */
export const candidatesQuery = (find: PeopleToFind, q: string) =>
  queryOptions({ queryKey: [...candidatesKey, find, q], queryFn: () => findCandidates(find, q) })

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
