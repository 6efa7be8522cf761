import { sql } from 'kysely'
import { sweepRepositories } from '@/server/repos/storage'
import { jobContext, type Services } from '@/server/services'
import { sweepExpiredSessions } from '@/server/sessions'
import { sweepExpiredTokens } from '@/server/tokens'

/** Deletes what is over by itself or was left behind; to be called now and then, by any number of processes. */
export async function sweep(services: Services): Promise<void> {
  const ctx = jobContext(services, 'sweep')
  const sessions = await sweepExpiredSessions(ctx)
  const tokens = await sweepExpiredTokens(ctx)
  const repositories = await sweepRepositories(ctx)
  await gatherStatistics(services)
  services.log.debug({ sessions, tokens, repositories }, 'swept')
}

// A server gathers them by itself; the embedded database has nobody to do so, and would guess how to read large tables.
async function gatherStatistics({ database }: Services): Promise<void> {
  if (database.kind === 'embedded') await sql`analyze`.execute(database.db)
}
