import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { dryRun } from '@/db/transaction'
import { timedOut } from '@/db/violation'
import { createQueues, type Queues } from './concurrency-limit'
import { conflict, unprocessable } from './errors'
import { singleton } from './singleton'

/**
 * Returns what a change would do, by making it and rolling back, for one person at a time.
 * @throws {DomainError} whatever the change throws; tooManyRequests when the person asks for many at once; on a
 * database server conflict while somebody else changes the same, unprocessable when it would take too long.
 */
export async function preview<T>(
  db: Db,
  personId: number,
  run: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return await oneAtATime(personId, async () => {
    try {
      return await dryRun(db, run)
    } catch (error) {
      throw explainTimeOut(error)
    }
  })
}

/** Takes turns with other previews of one person, who could otherwise keep locks and connections from others. */
export const oneAtATime: Queues = (personId, work) =>
  singleton('preview-turns', () => createQueues({ maxQueue: 3 }))(personId, work)

function explainTimeOut(error: unknown): unknown {
  switch (timedOut(error)) {
    case 'lock':
      return conflict('somebody else is changing what this would end; try again in a moment', {
        reason: { code: 'cannotPreview', why: 'busy' },
        cause: error,
      })
    case 'statement':
      return unprocessable('this would end more than can be looked up in time; end part of it first', {
        reason: { code: 'cannotPreview', why: 'tooMuch' },
        cause: error,
      })
    default:
      return error
  }
}
