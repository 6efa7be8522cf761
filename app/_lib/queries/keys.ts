import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { keyList } from '../lists'
import type { RepoPath } from '../paths'
import { trpc } from '../trpc'

/** Owner of a list of SSH keys: the viewer, or a user whom an administrator manages. */
export interface KeyOwner {
  username: string
  mine: boolean
}

type KeyChoice = ListChoice<typeof keyList>

export const sshKeysKey = (username: string) => ['keys', username] as const

export const keysQuery = ({ username, mine }: KeyOwner, choice: KeyChoice) =>
  queryOptions({
    queryKey: [...sshKeysKey(username), choice],
    queryFn: () => trpc.keys.browse.query({ username: mine ? undefined : username, ...choice }),
  })

export const deployKeysKey = ({ owner, repo }: RepoPath) => ['deploy-keys', owner, repo] as const

export const deployKeysQuery = (path: RepoPath, choice: KeyChoice) =>
  queryOptions({
    queryKey: [...deployKeysKey(path), choice],
    queryFn: () => trpc.keys.deploy.browse.query({ ...path, ...choice }),
  })
