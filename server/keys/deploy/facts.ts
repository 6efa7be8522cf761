import type { FactsOf } from '@/server/events'
import type { DeployKeyRow } from './store'

/** What events say of a key of this repository. */
export function deployKeyFacts(repositoryId: number, row: DeployKeyRow): FactsOf<'deploy_key.added'> {
  const { id, key_id, title, fingerprint, mode } = row
  return { repositoryId, deployKeyId: id, keyId: key_id, title, fingerprint, readOnly: mode === 'read' }
}
