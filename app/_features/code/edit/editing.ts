import 'server-only'
import { currentSession, instanceStatus } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'

/** Whether the viewer can change files of a repository. `refusal` says why nobody can at present. */
export interface Editing {
  refusal: string | null
}

/** Returns whether the viewer can change files; undefined for viewers who never can. */
export async function editingOf(home: RepositoryHome): Promise<Editing | undefined> {
  const { repository, may_push: mayPush } = home
  if (!(await currentSession())) return undefined
  if (!mayPush && !(repository.archived && repository.permissions.push)) return undefined
  if (repository.archived) return { refusal: 'This repository is archived' }
  return { refusal: (await instanceStatus()).read_only ? 'This site is read-only at present' : null }
}
