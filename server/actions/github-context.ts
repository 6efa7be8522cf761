import type { Config } from '@/server/kernel/config'
import { shortRef } from '@/server/kernel/git/ref-names'
import type { RepositoryWithAccess } from '@/server/repos'
import type { RunRow } from './store'

type About = Pick<RunRow, 'ref' | 'sha' | 'event'> & {
  /** Username of the person who started the run; empty if the account was deleted. */
  actor: string
}

/** Returns the `github` context that expressions of a workflow read, without `event`. */
export function githubContext(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { repository, owner }: Pick<RepositoryWithAccess, 'repository' | 'owner'>,
  { ref, sha, event, actor }: About,
): Record<string, string> {
  return {
    event_name: event,
    ref,
    ref_name: shortRef(ref),
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    sha,
    repository: `${owner.name}/${repository.name}`,
    repository_id: String(repository.id),
    repository_owner: owner.name,
    actor,
    triggering_actor: actor,
    server_url: baseUrl,
    api_url: `${baseUrl}/api/v1`,
  }
}
