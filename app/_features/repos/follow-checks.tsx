import 'server-only'
import type { ReactNode } from 'react'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { caller, currentSession } from '@/app/_lib/server'
import type { CommitStates } from '@/server/statuses/schema'

/** Refreshes a page when the checks of a commit of the repository change. */
export async function FollowChecks({
  repository: { id },
}: {
  repository: { id: number }
}): Promise<ReactNode> {
  return (await currentSession()) ? <LiveRefresh topics={[{ topic: 'statuses', id }]} /> : null
}

/** Reads the combined states of the checks of commits that a page shows. */
export async function commitStates(
  { owner, name }: { owner: { login: string }; name: string },
  shas: readonly string[],
): Promise<CommitStates> {
  if (shas.length === 0) return {}
  return await (await caller()).statuses.listStates({ owner: owner.login, repo: name, shas: [...shas] })
}
