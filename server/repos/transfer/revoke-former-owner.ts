import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { NewEvent } from '@/server/events'
import type { RepositoryRow } from '../store'

type Left = Pick<RepositoryRow, 'id' | 'name' | 'owner_id'>

/**
 * Removes the teams, deploy keys, webhooks, secrets and runners of a repository's former owner, and returns
 * the events to record for their removal. Deploy keys, webhooks and runners would let the former owner read
 * or change the new owner's data, and the secrets are the former owner's. Runners are retired: they get no
 * more jobs and are deleted later by a cleanup job. The default permissions of job tokens and the access to
 * reusable workflows are reset; the limits of tokens stay. Variables are retained, because workflows depend on them
 * and they are not secret.
 */
export async function revokeFormerOwnerAccess(
  trx: Transaction<Database>,
  repository: Left,
): Promise<NewEvent[]> {
  await forgetRunnerToken(trx, repository)
  return [
    ...(await removeFromTeams(trx, repository)),
    ...(await deleteDeployKeys(trx, repository)),
    ...(await deleteHooks(trx, repository)),
    ...(await deleteSecrets(trx, repository)),
    ...(await retireRunners(trx, repository)),
    ...(await resetPermissions(trx, repository)),
  ]
}

async function removeFromTeams(
  trx: Transaction<Database>,
  { id, name, owner_id }: Left,
): Promise<NewEvent[]> {
  const teams = await trx
    .deleteFrom('team_repositories')
    .using('teams')
    .whereRef('teams.id', '=', 'team_repositories.team_id')
    .where('team_repositories.repository_id', '=', id)
    .returning(['teams.id', 'teams.name'])
    .execute()
  return teams.map(team => ({
    kind: 'team.repository_removed',
    ownerId: owner_id,
    facts: { teamId: team.id, team: team.name, repositoryId: id, repository: name },
  }))
}

async function deleteDeployKeys(trx: Transaction<Database>, { id, owner_id }: Left): Promise<NewEvent[]> {
  const keys = await trx
    .deleteFrom('deploy_keys')
    .using('public_keys')
    .whereRef('public_keys.id', '=', 'deploy_keys.key_id')
    .where('deploy_keys.repository_id', '=', id)
    .returning([
      'deploy_keys.id',
      'deploy_keys.key_id',
      'deploy_keys.title',
      'deploy_keys.mode',
      'public_keys.fingerprint',
    ])
    .execute()
  return keys.map(({ id: deployKeyId, key_id: keyId, title, mode, fingerprint }) => ({
    kind: 'deploy_key.removed',
    ownerId: owner_id,
    repositoryId: id,
    facts: { repositoryId: id, deployKeyId, keyId, title, fingerprint, readOnly: mode === 'read' },
  }))
}

async function deleteHooks(trx: Transaction<Database>, { id, owner_id }: Left): Promise<NewEvent[]> {
  const hooks = await trx
    .deleteFrom('hooks')
    .where('repository_id', '=', id)
    .returning(['id', 'type', 'target', 'scope'])
    .execute()
  return hooks.map(({ id: hookId, ...hook }) => ({
    kind: 'hook.removed',
    ownerId: owner_id,
    facts: { hookId, ...hook, repositoryId: id },
  }))
}

async function deleteSecrets(trx: Transaction<Database>, { id, owner_id }: Left): Promise<NewEvent[]> {
  const secrets = await trx
    .deleteFrom('workflow_variables')
    .where('repository_id', '=', id)
    .where('is_secret', '=', true)
    .returning(['id', 'name'])
    .execute()
  return secrets.map(({ id: variableId, name }) => ({
    kind: 'secret.removed',
    ownerId: owner_id,
    facts: { variableId, name, repositoryId: id },
  }))
}

async function retireRunners(trx: Transaction<Database>, { id, owner_id }: Left): Promise<NewEvent[]> {
  const runners = await trx
    .updateTable('runners')
    .set({ retired_at: sql<Date>`now()`, secret_hash: randomBytes(32) })
    .where('repository_id', '=', id)
    .where('retired_at', 'is', null)
    .returning(['id', 'name'])
    .execute()
  return runners.map(({ id: runnerId, name }) => ({
    kind: 'runner.deleted',
    ownerId: owner_id,
    facts: { runnerId, name, repositoryId: id },
  }))
}

// The former owner could still register a runner with the known token. A new token is derived on demand.
async function forgetRunnerToken(trx: Transaction<Database>, { id }: Left): Promise<void> {
  await trx
    .updateTable('runner_registrations')
    .set(eb => ({ generation: eb('generation', '+', 1), token_hash: randomBytes(32) }))
    .where('repository_id', '=', id)
    .execute()
}

async function resetPermissions(trx: Transaction<Database>, { id, owner_id }: Left): Promise<NewEvent[]> {
  const changed = await trx
    .updateTable('workflow_permissions')
    .set({ default_permissions: null, access_level: 'none' })
    .where('repository_id', '=', id)
    .where(eb => eb.or([eb('default_permissions', 'is not', null), eb('access_level', '<>', 'none')]))
    .returning('id')
    .execute()
  return changed.map(() => ({
    kind: 'permissions.edited',
    ownerId: owner_id,
    facts: { repositoryId: id, changed: 'default access_level' },
  }))
}
