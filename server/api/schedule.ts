import { Cron } from 'croner'
import type { Services } from '@/server/services'
import { sweep } from './sweeps'

/** Starts what is done every hour; gives the function that stops it. A run that fails is logged, the next one still comes. */
export function startSchedule(services: Services): () => void {
  const { log } = services
  const onError = (error: unknown) => log.error({ err: error }, 'sweep failed')
  const job = new Cron('17 * * * *', { protect: true, unref: true, catch: onError }, () => sweep(services))
  return () => job.stop()
}
