import { announce } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { singleton } from '@/server/kernel/singleton'
import type { Log } from './store'

const pauseMs = 500

/** Tasks whose log was announced less than `pauseMs` ago, and whether rows have arrived since. */
const recent = singleton('announced logs', () => new Map<number, { more: boolean }>())

/** Notifies open pages that a log has more rows: immediately, then at most twice a second. */
export function announceLog(
  { db }: Pick<ServiceCtx, 'db'>,
  log: Pick<Log, 'id' | 'run_id' | 'repository_id'>,
): void {
  const known = recent.get(log.id)
  if (known) {
    known.more = true
    return
  }
  const state = { more: false }
  recent.set(log.id, state)
  announce(db, { kind: 'log.appended', taskId: log.id, runId: log.run_id, repositoryId: log.repository_id })
  setTimeout(() => {
    recent.delete(log.id)
    if (state.more) announceLog({ db }, log)
  }, pauseMs).unref()
}
