import { sql } from 'kysely'
import { prepared } from '@/db/prepared'
import { withTransaction } from '@/db/transaction'
import { foreignKeyViolation } from '@/db/violation'
import { announce } from '@/server/events'
import { actingAccount, involvedAccounts } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import { isStillOwned } from '@/server/repos'
import { keepAccounts } from '@/server/users'
import type { ReportableCommit } from './load'
import { recordStatuses } from './record'
import type { CommitStatus, CreateStatusOption } from './schema'
import {
  countForLimits,
  insertStatuses,
  maxPerContext,
  mayInsertAlone,
  type NewStatuses,
  recountContexts,
  type StatusRow,
} from './store'
import { viewStatuses } from './view'

/** Maximum number of contexts of a commit that callers can report. */
const maxContexts = 1000

/**
 * Reports a status of a commit, in archived repositories too.
 * @throws {DomainError} notFound if the repository is deleted or transferred concurrently; unprocessable if the
 * commit has too many statuses or contexts.
 */
export async function createStatus(
  ctx: ActingCtx,
  found: ReportableCommit,
  { state, context, description, target_url }: CreateStatusOption,
): Promise<CommitStatus> {
  const { sha } = found
  const { id, owner_id } = found.repository
  const creator = actingAccount(ctx.caller)
  const row = sql`select ${prepared} 1 as position, ${sha}::text as sha, ${context}::text as context, ${state}::text as state,
    ${description}::text as description, ${target_url}::text as target_url, ${creator?.id ?? null}::bigint as creator_id,
    ${sourceOf(ctx)}::text as source, ${ctx.clock.now()}::timestamptz as created_at`
  const statuses =
    (await insertAlone(ctx, found, { context, row })) ??
    (await withTransaction(ctx.db, async trx => {
      await keepAccounts(trx, [owner_id, ...involvedAccounts(ctx.caller)])
      if (!(await isStillOwned(trx, id, owner_id))) throw deleted('repository')
      const { contexts, ofContext } = await countForLimits(trx, { repositoryId: id, sha, context })
      if (ofContext >= maxPerContext)
        throw unprocessable(`A commit can have at most ${maxPerContext} statuses with the same context.`, {
          field: 'context',
        })
      if (ofContext === 0 && contexts >= maxContexts && (await recountContexts(trx, id, sha)) >= maxContexts)
        throw unprocessable(`A commit can have at most ${maxContexts} contexts.`, { field: 'context' })
      return await recordStatuses(trx, ctx, found.repository, row)
    }))
  const [shown] = await viewStatuses(ctx, found, statuses, creator ? [creator] : [])
  return shown as CommitStatus
}

/**
 * Reports a status in a single statement, which is much faster than a transaction; undefined if it is not possible. The
 * transaction then records an event for webhooks, or says why nothing was inserted.
 */
async function insertAlone(
  { db }: ActingCtx,
  { sha, repository: { id, owner_id } }: ReportableCommit,
  { context, row }: { context: string; row: NewStatuses },
): Promise<StatusRow[] | undefined> {
  const limits = { maxPerContext, maxContexts }
  const condition = mayInsertAlone({ repositoryId: id, ownerId: owner_id, sha, context }, limits)
  const { statuses } = await insertStatuses(db, id, sql`${row} where ${condition}`).catch(error => {
    // An account or the repository was deleted concurrently.
    if (foreignKeyViolation(error)) return { statuses: [] }
    throw error
  })
  if (statuses.length === 0) return undefined
  announce(db, { kind: 'status.changed', repositoryId: id })
  return statuses
}

function sourceOf({ caller }: ActingCtx): StatusRow['source'] {
  if (caller.kind === 'job') return 'job'
  return caller.credential.kind === 'token' ? 'token' : 'account'
}
