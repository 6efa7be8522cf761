import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type FactsOf, readEvent } from '@/server/events'
import type { SharedServices } from '@/server/kernel/ctx'
import { pushKinds } from './contents'
import { type BackupResult, beginBackup, endBackup, extendHold } from './store'

/** A ref that a push moved, with the ID of its event. */
export interface LivePush {
  id: number
  repositoryId: number
  ref: string
  before: string
}

/**
 * The running site as a backup needs it. Only the server can use its embedded database, so a backup in another
 * process reaches it through a socket.
 */
export interface LiveSite {
  /**
   * Makes deletions wait, and opens the database for the snapshot. If that can only be a copy, it is from after
   * deletions wait.
   * @throws {Error} if another backup is running
   */
  begin(): Promise<Begun>
  /** Returns the next pushes since a time, in the order of their events' IDs; empty after the last. */
  pushesSince(since: Date, afterId: number): Promise<LivePush[]>
  /** Returns those of these keys of pushes that are recorded. */
  recordedAmong(keys: readonly string[]): Promise<string[]>
  /**
   * Makes sure that deletions have waited since the backup began, even if the database could not be reached
   * meanwhile.
   * @throws {Error} if they no longer wait
   */
  requireHold(): Promise<void>
  /** Lets deletions continue, and stores the result. */
  end(result: BackupResult): Promise<void>
}

export interface Begun {
  startedAt: Date
  /** Database in which a transaction sees the site as it is from now on, or was a moment ago. */
  db: Db
  /** Aborted if deletions no longer wait for the backup. */
  lost: AbortSignal
  /** Must be called when the database has been read. */
  close(): Promise<void>
}

const extendEveryMs = 20_000
const pageSize = 1000

/**
 * The site of a database that this process can use. With `isAlone`, no other process can be using it.
 */
export function directSite(
  { db, ownLocations }: Pick<SharedServices, 'db' | 'ownLocations'>,
  { isAlone }: { isAlone: boolean },
): LiveSite {
  // A site that is read-only for maintenance can be backed up, too.
  const recording = <T>(change: (trx: Db) => Promise<T>): Promise<T> =>
    db.transaction().setAccessMode('read write').execute(change)
  let id: number | undefined
  let timer: NodeJS.Timeout | undefined
  const isHeld = (held: number): Promise<boolean> => recording(trx => extendHold(trx, held))
  return {
    async begin() {
      // An unmounted directory must not look like one without repositories.
      await ownLocations.requireRepositories()
      await ownLocations.requireObjects()
      const begun = await recording(trx => beginBackup(trx, { isAlone }))
      id = begun.id
      const lost = new AbortController()
      timer = setInterval(() => {
        isHeld(begun.id)
          .then(held => held || lost.abort(holdLost()))
          // The next attempt is made before the time is over, and `requireHold` at the end.
          .catch(() => undefined)
      }, extendEveryMs)
      timer.unref()
      return { startedAt: begun.startedAt, db, lost: lost.signal, close: async () => undefined }
    },
    pushesSince: (since, afterId) => selectPushes(db, since, afterId),
    async recordedAmong(keys) {
      if (keys.length === 0) return []
      const rows = await db.selectFrom('recorded_pushes').select('key').where('key', 'in', keys).execute()
      return rows.map(({ key }) => key)
    },
    async requireHold() {
      if (id === undefined || !(await isHeld(id))) throw holdLost()
    },
    async end(result) {
      clearInterval(timer)
      const ending = id
      if (ending !== undefined) await recording(trx => endBackup(trx, ending, result))
    },
  }
}

const holdLost = (): Error => new Error('the backup took too long: deletions no longer waited for it')

async function selectPushes(db: Db, since: Date, afterId: number): Promise<LivePush[]> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'kind', 'data', sql<number>`repository_id`.as('repositoryId')])
    .where('kind', 'in', pushKinds)
    .where('created_at', '>=', since)
    .where('repository_id', 'is not', null)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(pageSize)
    .execute()
  return rows.map(({ id, repositoryId, ...row }) => {
    const facts = (readEvent(row)?.facts ?? {}) as PushFacts
    return { id, repositoryId, ref: facts.ref ?? '', before: facts.before ?? facts.sha ?? '' }
  })
}

type PushFacts = Partial<Pick<FactsOf<'git.pushed'>, 'ref' | 'before'> & Pick<FactsOf<'ref.deleted'>, 'sha'>>
