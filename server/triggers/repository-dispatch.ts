import { withTransaction } from '@/db/transaction'
import { insertNewRun, lockAccounts, oneAtATime, requireRunnable } from '@/server/actions'
import { repositoryOfPayload } from '@/server/hooks/payload'
import { actingAccount, involvedAccounts } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import type { RepositoryFor, writeCode } from '@/server/repos'
import { readWorkflowFiles } from './files'
import { planFiles } from './plan-runs'
import type { RepositoryDispatchOption } from './schema'

/**
 * Starts the workflows on the default branch that wait for an event of this type.
 * @throws {DomainError} forbidden if the repository is archived or actions are turned off there; tooManyRequests if Git or the thread that reads workflows is overloaded.
 */
export async function dispatchRepository(
  ctx: ActingCtx,
  { repository, owner }: RepositoryFor<typeof writeCode>,
  { event_type, client_payload }: RepositoryDispatchOption,
): Promise<void> {
  requireRunnable(repository)
  const ref = `refs/heads/${repository.default_branch}`
  const read = repository.is_empty ? undefined : await readWorkflowFiles(ctx, repository.storage_key, ref)
  if (!read) return
  const actor = actingAccount(ctx.caller)
  const actorId = actor?.id ?? null
  const target = await repositoryOfPayload(ctx, { repository, actorId })
  const cause = {
    repository,
    owner,
    actor: actor ?? undefined,
    event: 'repository_dispatch',
    ref,
    commit: read.commit,
    payload: { action: event_type, branch: repository.default_branch, client_payload, ...target },
    title: event_type,
  }
  const trigger = {
    name: 'repository_dispatch',
    activities: [event_type],
    ref,
    revision: read.commit,
  } as const
  const runs = await planFiles(ctx, cause, trigger, read.files)
  if (runs.length === 0) return
  await oneAtATime(repository.id, () =>
    withTransaction(ctx.db, async trx => {
      await lockAccounts(trx, [repository.owner_id, ...involvedAccounts(ctx.caller)])
      for (const run of runs) await insertNewRun(trx, ctx, { repository, actorId }, run)
    }),
  )
}
