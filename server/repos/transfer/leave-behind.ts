import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'

/**
 * Ends what the former owner of a repository set up for programs. Deploy keys, webhooks and runners would let that owner
 * read or change what the new one does, and secrets are the former owner's own. A retired runner gets no job anymore; the
 * sweep of runners deletes it. Variables stay: they are part of how the workflows run, and no secret.
 */
export async function leaveBehind(trx: Transaction<Database>, repositoryId: number): Promise<void> {
  await trx.deleteFrom('deploy_keys').where('repository_id', '=', repositoryId).execute()
  await trx.deleteFrom('hooks').where('repository_id', '=', repositoryId).execute()
  await trx
    .deleteFrom('workflow_variables')
    .where('repository_id', '=', repositoryId)
    .where('is_secret', '=', true)
    .execute()
  await trx
    .updateTable('runners')
    .set({ retired_at: sql<Date>`now()`, secret_hash: randomBytes(32) })
    .where('repository_id', '=', repositoryId)
    .where('retired_at', 'is', null)
    .execute()
  // A runner could still be registered with the token that was known. The next one is derived when somebody asks for it.
  await trx
    .updateTable('runner_registrations')
    .set(eb => ({ generation: eb('generation', '+', 1), token_hash: randomBytes(32) }))
    .where('repository_id', '=', repositoryId)
    .execute()
}
