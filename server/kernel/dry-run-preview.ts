import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { dryRun } from '@/db/transaction'
import { timedOut } from '@/db/violation'
import { createQueues, type Queues } from './concurrency-limit'
import { conflict, unprocessable } from './errors'
import { singleton } from './singleton'

/**
 * Returns the effects of a change by performing it in a database transaction that is rolled back. Previews
 * requested by the same person run one at a time.
 * @throws {DomainError} any error of the change; tooManyRequests if the person requests many previews
 * concurrently. On a PostgreSQL server, also conflict if the change waits too long for a lock, and
 * unprocessable if a statement takes too long.
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

/**
 * Runs the previews of each person one at a time, because every preview holds locks and a database
 * connection.
 */
export const oneAtATime: Queues = (personId, work) =>
  singleton('preview-turns', () => createQueues({ maxQueue: 3 }))(personId, work)

function explainTimeOut(error: unknown): unknown {
  switch (timedOut(error)) {
    case 'lock':
      return conflict('someone else is changing what this would affect; try again in a moment', {
        reason: { code: 'cannotPreview', why: 'busy' },
        cause: error,
      })
    case 'statement':
      return unprocessable('this would affect too much to determine in time; do part of it first', {
        reason: { code: 'cannotPreview', why: 'tooMuch' },
        cause: error,
      })
    default:
      return error
  }
}
