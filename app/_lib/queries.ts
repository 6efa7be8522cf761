import { queryOptions } from '@tanstack/react-query'
import { type KeyOwner, listKeys } from './key-owner'
import { trpc } from './trpc'

/** What the screens read: one name for each list, so a server render and a refresh fill the same place. */
export const keysQuery = (owner: KeyOwner, page: number) =>
  queryOptions({ queryKey: ['keys', owner.username, page], queryFn: () => listKeys(owner, page) })

export const tokensQuery = (username: string, page: number) =>
  queryOptions({
    queryKey: ['tokens', username, page],
    queryFn: () => trpc.tokens.list.query({ username, page }),
  })

export const blocksQuery = (page: number) =>
  queryOptions({ queryKey: ['blocks', page], queryFn: () => trpc.blocks.list.query({ page }) })

export const sessionsQuery = () =>
  queryOptions({ queryKey: ['sessions'], queryFn: () => trpc.sessions.list.query() })

export const usersQuery = (q: string, page: number) =>
  queryOptions({ queryKey: ['users', { q, page }], queryFn: () => trpc.users.list.query({ q, page }) })
