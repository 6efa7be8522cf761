import { queryOptions } from '@tanstack/react-query'
import type { RepoPath } from '../paths'
import { trpc } from '../trpc'

/** Whose SSH keys a list shows: the viewer's own, or somebody's whom an administrator looks after. */
export interface KeyOwner {
  username: string
  mine: boolean
}

export const sshKeysKey = (username: string) => ['keys', username] as const

export const keysQuery = ({ username, mine }: KeyOwner, page: number) =>
  queryOptions({
    queryKey: [...sshKeysKey(username), page],
    queryFn: () => trpc.keys.listNewest.query({ username: mine ? undefined : username, page }),
  })

export const deployKeysKey = ({ owner, repo }: RepoPath) => ['deploy-keys', owner, repo] as const

export const deployKeysQuery = (path: RepoPath, page: number) =>
  queryOptions({
    queryKey: [...deployKeysKey(path), page],
    queryFn: () => trpc.keys.deploy.listNewest.query({ ...path, page }),
  })
