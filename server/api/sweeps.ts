import { sweepRepositories } from '@/server/repos/git'
import { sweepExpiredSessions } from '@/server/sessions'
import { contextOf, type Services } from './services'

/** Deletes what is over by itself or was left behind; to be called now and then, by any number of processes. */
export async function sweep(services: Services): Promise<void> {
  const ctx = contextOf(services, 'sweep', '')
  const sessions = await sweepExpiredSessions(ctx)
  const repositories = await sweepRepositories(ctx)
  services.log.debug({ sessions, repositories }, 'swept')
}
