import { sweepExpiredSessions } from '@/server/sessions'
import { contextOf, type Services } from './services'

/** Deletes what is over by itself; to be called now and then, by any number of processes. */
export async function sweep(services: Services): Promise<void> {
  const sessions = await sweepExpiredSessions(contextOf(services, 'sweep', ''))
  services.log.debug({ sessions }, 'swept')
}
