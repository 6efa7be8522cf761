import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { dryRun } from '@/db/transaction'
import { timedOut } from '@/db/violation'
import { createQueues, type Queues } from './concurrency-limit'
import { conflict, unprocessable } from './errors'
import { singleton } from './singleton'

/**
 * Returns what a change would do, by making it and rolling it back. Each person can run one preview at a time.
 * @throws {DomainError} any error of the change; tooManyRequests if the person requests many previews at the
 * same time. On a database server also conflict while someone else changes the same rows, and unprocessable if
 * the change would take too long.
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

/** Runs one person's previews one at a time, because each holds locks and a connection that others need. */
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
