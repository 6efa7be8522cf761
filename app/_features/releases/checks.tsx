import 'server-only'
import type { ReactNode } from 'react'
import { commitStates, FollowChecks } from '@/app/_features/repos/follow-checks'
import type { ShownRelease } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'
import type { CommitStates } from '@/server/statuses/schema'

/** Refreshes a page of releases when the checks of a commit change, if the viewer can read the code. */
export const FollowReleaseChecks = ({ repository }: { repository: Repository }): ReactNode =>
  repository.permissions.pull ? <FollowChecks repository={repository} /> : null

/** Reads the states of the checks of the releases' commits, if the viewer can read the code. */
export async function releaseStates(
  repository: Repository,
  releases: readonly Pick<ShownRelease, 'sha'>[],
): Promise<CommitStates> {
  if (!repository.permissions.pull) return {}
  return await commitStates(
    repository,
    releases.flatMap(({ sha }) => sha || []),
  )
}
