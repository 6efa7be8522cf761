import { sql } from 'kysely'
import { fixedQuery } from '@/db/fixed-query'
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
  maxPerContext,
  mayInsertAlone,
  type NewStatuses,
  recountContexts,
  type StatusRow,
  statusInsertion,
} from './store'
import { viewStatuses } from './view'

/** Maximum number of contexts of a commit that callers can report. */
const maxContexts = 1000

type NewStatus = Omit<StatusRow, 'repository_id' | 'number'>

const rowOf = (status: NewStatus): NewStatuses =>
  sql`select ${prepared} 1 as position, ${status.sha}::text as sha, ${status.context}::text as context, ${status.state}::text as state,
    ${status.description}::text as description, ${status.target_url}::text as target_url,
    ${status.creator_id}::bigint as creator_id, ${status.source}::text as source, ${status.created_at}::timestamptz as created_at`

const insertAlone = fixedQuery(
  (_, { status, repository }: { status: NewStatus; repository: { id: number; ownerId: number } }) => {
    const { sha, context } = status
    const condition = mayInsertAlone(
      { repositoryId: repository.id, ownerId: repository.ownerId, sha, context },
      { maxPerContext, maxContexts },
    )
    return statusInsertion(repository.id, sql`${rowOf(status)} where ${condition}`)
  },
)

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
  const status: NewStatus = {
    sha,
    context,
    state,
    description,
    target_url,
    creator_id: creator?.id ?? null,
    source: sourceOf(ctx),
    created_at: ctx.clock.now(),
  }
  const statuses =
    (await tryInsertAlone(ctx, found, status)) ??
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
      return await recordStatuses(trx, ctx, found.repository, rowOf(status))
    }))
  const [shown] = await viewStatuses(ctx, found, statuses, creator ? [creator] : [])
  return shown as CommitStatus
}

/**
 * Reports a status in a single statement, which is much faster than a transaction; undefined if it is not possible. The
 * transaction then records an event for webhooks, or says why nothing was inserted.
 */
async function tryInsertAlone(
  { db }: ActingCtx,
  { repository: { id, owner_id: ownerId } }: ReportableCommit,
  status: NewStatus,
): Promise<StatusRow[] | undefined> {
  const statuses = await insertAlone(db, { status, repository: { id, ownerId } }).catch(error => {
    // An account or the repository was deleted concurrently.
    if (foreignKeyViolation(error)) return []
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
