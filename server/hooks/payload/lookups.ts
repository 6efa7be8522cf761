import type { Db } from '@/db/client'
import { selectJobsById, selectRunsById, selectTasksOfJobs } from '@/server/actions'
import { selectRepositories } from '@/server/repos'
import { selectTeamsById, selectUnits } from '@/server/teams'
import { selectAccounts } from '@/server/users'

/** Selects rows by ID. The result can include other rows. */
type Select<Row> = (ids: readonly number[]) => Promise<ReadonlyMap<number, Row>>

type Lookups = ReturnType<typeof createLookups>
const known = new WeakMap<Db, Lookups>()

/**
 * Returns functions that load the current database rows for webhook payloads by ID. Calls to the same
 * function within one tick of the event loop are combined into one query.
 */
export function lookupsOf(db: Db): Lookups {
  const lookups = known.get(db) ?? createLookups(db)
  known.set(db, lookups)
  return lookups
}

const createLookups = (db: Db) => ({
  accounts: together(ids => selectAccounts(db, ids)),
  repositories: together(ids => selectRepositories(db, ids)),
  teams: together(ids => selectTeamsById(db, ids)),
  units: together(ids => selectUnits(db, ids)),
  runs: together(ids => selectRunsById(db, ids)),
  jobs: together(ids => selectJobsById(db, ids)),
  tasksOfJobs: together(ids => selectTasksOfJobs(db, ids)),
})

function together<Row>(select: Select<Row>): Select<Row> {
  let next: { ids: Set<number>; rows: ReturnType<Select<Row>> } | undefined
  const begin = () => {
    const ids = new Set<number>()
    const instant = new Promise(resolve => setImmediate(resolve))
    const rows = instant.then(() => {
      next = undefined
      return select([...ids])
    })
    return { ids, rows }
  }
  return async ids => {
    if (ids.length === 0) return new Map()
    next ??= begin()
    for (const id of ids) next.ids.add(id)
    return await next.rows
  }
}
