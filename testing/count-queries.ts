import type { KyselyPlugin } from 'kysely'
import { onTestFinished } from 'vitest'
import { refuseInTransaction } from '@/db/transaction'
import type { Services } from '@/server/services'

/** Number of database queries that returned a result. */
export interface CountedQueries {
  all: number
  /** Those inside transactions, without begin and commit. */
  inTransaction: number
}

/** Counts the database queries of a site until the test ends. */
export function countQueries({ services }: { services: Services }): CountedQueries {
  const counted: CountedQueries = { all: 0, inTransaction: 0 }
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      counted.all++
      if (isInTransaction()) counted.inTransaction++
      return result
    },
  }
  const { db } = services
  services.db = db.withPlugin(counter)
  onTestFinished(() => {
    services.db = db
  })
  return counted
}

function isInTransaction(): boolean {
  try {
    refuseInTransaction('counting')
    return false
  } catch {
    return true
  }
}
