import type { FactsOf } from '@/server/events'
import type { DeployKeyRow } from './store'

/** Returns the facts of an event about a deploy key of a repository. */
export function deployKeyFacts(repositoryId: number, row: DeployKeyRow): FactsOf<'deploy_key.added'> {
  const { id, key_id, title, fingerprint, mode } = row
  return { repositoryId, deployKeyId: id, keyId: key_id, title, fingerprint, readOnly: mode === 'read' }
}
