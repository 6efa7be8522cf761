import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { caller, currentSession } from '@/app/_lib/server'
import type { Repository } from '@/server/repos/schema'
import { cloneCookie, readCloneWay } from './clone-way'
import { CloneWays } from './clone-ways'

interface CloneBoxProps {
  repository: Repository
  /** Whether to also show the commands that push a first commit to an empty repository. */
  start?: boolean
}

/** Shows a repository's clone URL and clone command, for HTTPS or SSH. */
export async function CloneBox({ repository, start = false }: CloneBoxProps): Promise<ReactNode> {
  const { name, full_name, clone_url, ssh_url, default_branch, object_format_name } = repository
  const [store, session] = await Promise.all([cookies(), currentSession()])
  const asksForKey = ssh_url !== '' && session !== null
  return (
    <CloneWays
      repository={{ name, full_name, clone_url, ssh_url, default_branch, object_format_name }}
      remembered={readCloneWay(store.get(cloneCookie)?.value)}
      me={session?.user.login}
      hasKey={asksForKey && (await (await caller()).keys.hasCurrent())}
      start={start}
    />
  )
}
