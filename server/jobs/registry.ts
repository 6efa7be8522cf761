import { storeLogsJob } from '@/server/actions/logs/store-logs'
import { sweepTasksJob } from '@/server/actions/sweep'
import { sweepArtifactsJob } from '@/server/artifacts/sweep'
import { dispatchWebhooksWorker } from '@/server/hooks/delivery/dispatcher'
import { sendWebhooksWorker } from '@/server/hooks/delivery/sender'
import { sweepDeliveriesJob } from '@/server/hooks/delivery/sweep'
import type { ScheduledJob, Worker } from '@/server/kernel/jobs'
import { sweepObjectsJob } from '@/server/kernel/storage/sweep'
import { sweepAttachmentsJob } from '@/server/releases/assets/remove'
import { sweepUploadsJob } from '@/server/releases/uploads/discard'
import { endUploadLocksWorker } from '@/server/releases/uploads/lock'
import { recoverPushesJob } from '@/server/repos/push/recover'
import { sweepPushesJob } from '@/server/repos/push/sweep'
import { sweepRepositoriesJob } from '@/server/repos/storage/sweep'
import { sweepIncomingJob } from '@/server/repos/storage/sweep-incoming'
import { sweepRunnersJob } from '@/server/runners/remove'
import { resumeRunnersJob } from '@/server/runners/resume'
import { sweepSessionsJob } from '@/server/sessions/sweep'
import { sweepTokensJob } from '@/server/tokens/sweep'
import { startScheduledJob } from '@/server/triggers/schedule'
import { startWorkflowsWorker } from '@/server/triggers/worker'
import { analyzeDatabaseJob } from './analyze-database'

/** A job with what it is for, in words for administrators. */
interface ListedJob extends ScheduledJob {
  purpose: string
}

/** Every background job, and when it runs. The minutes differ, as each run holds a connection of its own. */
export const schedule: readonly ListedJob[] = [
  { every: '* * * * *', job: recoverPushesJob, purpose: 'Records pushes whose process was killed' },
  { every: '* * * * *', job: startScheduledJob, purpose: 'Starts the workflows that run at set times' },
  { every: '* * * * *', job: storeLogsJob, purpose: 'Moves complete job logs to the object store' },
  { every: '*/5 * * * *', job: sweepObjectsJob, purpose: 'Deletes stored files that nothing uses anymore' },
  { every: '17 * * * *', job: sweepSessionsJob, purpose: 'Deletes sessions that have ended' },
  { every: '19 * * * *', job: sweepTokensJob, purpose: 'Deletes access tokens that have expired' },
  {
    every: '23 * * * *',
    job: sweepRepositoriesJob,
    purpose: 'Tidies repositories and deletes what is left of removed ones',
  },
  { every: '47 4 * * *', job: sweepIncomingJob, purpose: 'Deletes what interrupted pushes had received' },
  { every: '27 * * * *', job: sweepPushesJob, purpose: 'Forgets the notes of old pushes' },
  { every: '41 * * * *', job: sweepUploadsJob, purpose: 'Discards uploads that nobody finished' },
  { every: '29 * * * *', job: analyzeDatabaseJob, purpose: 'Gathers statistics for the embedded database' },
  { every: '33 * * * *', job: sweepAttachmentsJob, purpose: 'Deletes release files that were removed' },
  { every: '3-53/10 * * * *', job: sweepArtifactsJob, purpose: 'Deletes artifacts that have expired' },
  { every: '* * * * *', job: sweepTasksJob, purpose: 'Ends jobs whose runner is silent or took too long' },
  { every: '*/10 * * * * *', job: resumeRunnersJob, purpose: 'Enables runners again whose pause is over' },
  { every: '37 * * * *', job: sweepRunnersJob, purpose: 'Deletes ephemeral runners that are done' },
  { every: '31 3 * * *', job: sweepDeliveriesJob, purpose: 'Deletes old webhook deliveries' },
]

/** What goes on all the time, in every process. */
export const workers: readonly Worker[] = [
  dispatchWebhooksWorker,
  sendWebhooksWorker,
  endUploadLocksWorker,
  startWorkflowsWorker,
]
