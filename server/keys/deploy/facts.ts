import type { FactsOf } from '@/server/events'
import type { DeployKeyRow } from './store'

/**
 * Returns the data to record with an event about a repository's deploy key, such as the title and
 * fingerprint.
 */
export function deployKeyFacts(repositoryId: number, row: DeployKeyRow): FactsOf<'deploy_key.added'> {
  const { id, key_id, title, fingerprint, mode } = row
  return { repositoryId, deployKeyId: id, keyId: key_id, title, fingerprint, readOnly: mode === 'read' }
}
