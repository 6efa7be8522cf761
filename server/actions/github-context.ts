import type { Config } from '@/server/kernel/config'
import { shortRef } from '@/server/kernel/git/ref-names'
import type { RepositoryWithAccess } from '@/server/repos'
import type { RunRow } from './store'

/** Person whose username and ID the context has. */
interface Actor {
  id: number
  name: string
}

type About = Pick<RunRow, 'ref' | 'sha' | 'event'> & {
  /** Person who started the run; undefined if nobody did, or if the account was deleted. */
  actor: Actor | undefined
  /** Path of the workflow file. */
  path: string
}

/**
 * Returns the context `github` of a run that is about to be created: everything except `event`, what the run
 * gets when it is stored, and what only a runner knows.
 */
export function githubContext(
  { baseUrl, artifactRetentionDays }: Pick<Config, 'baseUrl' | 'artifactRetentionDays'>,
  { repository, owner }: Pick<RepositoryWithAccess, 'repository' | 'owner'>,
  { ref, sha, event, actor, path }: About,
): RunRow['context'] {
  const name = `${owner.name}/${repository.name}`
  return {
    event_name: event,
    ref,
    ref_name: shortRef(ref),
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    ref_protected: false,
    head_ref: '',
    base_ref: '',
    sha,
    repository: name,
    repository_id: String(repository.id),
    repository_owner: owner.name,
    repository_owner_id: String(owner.id),
    repositoryUrl: `${baseUrl}/${name}.git`,
    actor: actor?.name ?? '',
    actor_id: actor ? String(actor.id) : '',
    triggering_actor: actor?.name ?? '',
    workflow_ref: `${name}/${path}@${ref}`,
    workflow_sha: sha,
    secret_source: 'Actions',
    retention_days: String(artifactRetentionDays),
    server_url: baseUrl,
    api_url: `${baseUrl}/api/v1`,
    graphql_url: '',
  }
}

/** Returns the context `github` of a stored run, without `event`, as of its latest attempt. */
export const contextOfRun = (
  run: Pick<RunRow, 'context' | 'id' | 'number' | 'attempt' | 'workflow_name'>,
): RunRow['context'] => ({
  ...run.context,
  workflow: run.workflow_name,
  run_id: String(run.id),
  run_number: String(run.number),
  run_attempt: String(run.attempt),
})
