import { Cron } from 'croner'
import { recoverPushes } from '@/server/repos/push'
import { jobContext, type Services } from '@/server/services'

/**
 * Records what pushes a killed process left unrecorded: now, and every minute, as it shows only after a minute of
 * silence that nobody looks after one. Gives the function that stops it.
 */
export function startRecovery(services: Services): () => void {
  const { log } = services
  const onError = (error: unknown) => log.error({ err: error }, 'pushes were not looked through')
  const recover = () => recoverPushes(jobContext(services, 'recovery'))
  const job = new Cron('* * * * *', { protect: true, unref: true, catch: onError }, recover)
  void job.trigger()
  return () => job.stop()
}
