import { sweepExpiredSessions, sweepLoginFailures } from '@/server/sessions'
import { contextOf, type Services } from './services'

/** Deletes what is over by itself; to be called now and then, by any number of processes. */
export async function sweep(services: Services): Promise<void> {
  const ctx = contextOf(services, 'sweep', '')
  const sessions = await sweepExpiredSessions(ctx)
  const loginFailures = await sweepLoginFailures(ctx)
  services.log.debug({ sessions, loginFailures }, 'swept')
}
