import { storeLogsJob } from '@/server/actions/logs/store-logs'
import { sweepTasksJob } from '@/server/actions/sweep'
import { sweepArtifactsJob } from '@/server/artifacts/sweep'
import { backupJob } from '@/server/backups/job'
import { dispatchWebhooksWorker } from '@/server/hooks/delivery/dispatcher'
import { sendWebhooksWorker } from '@/server/hooks/delivery/sender'
import { sweepDeliveriesJob } from '@/server/hooks/delivery/sweep'
import type { ScheduledJob, Worker } from '@/server/kernel/jobs'
import { sweepObjectsJob } from '@/server/kernel/storage/sweep'
import { sweepNotificationsJob } from '@/server/notifications/sweep'
import { writeNotificationsWorker } from '@/server/notifications/worker'
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
import { openCallsWorker } from '@/server/triggers/call-worker'
import { startScheduledJob } from '@/server/triggers/schedule'
import { startWorkflowsWorker } from '@/server/triggers/worker'
import { analyzeDatabaseJob } from './analyze-database'

/** A scheduled job with a description for administrators. */
interface ListedJob extends ScheduledJob {
  purpose: string
}

/** All background jobs with their schedules. Their minutes differ, because each run holds a database connection. */
export const schedule: readonly ListedJob[] = [
  { every: '* * * * *', job: recoverPushesJob, purpose: 'Recovers interrupted pushes' },
  { every: '* * * * *', job: startScheduledJob, purpose: 'Starts scheduled workflows' },
  { every: '* * * * *', job: storeLogsJob, purpose: 'Moves completed job logs to object storage' },
  { every: '*/5 * * * *', job: sweepObjectsJob, purpose: 'Deletes unused stored files' },
  { every: '17 * * * *', job: sweepSessionsJob, purpose: 'Deletes expired sessions' },
  { every: '19 * * * *', job: sweepTokensJob, purpose: 'Deletes expired access tokens' },
  {
    every: '23 * * * *',
    job: sweepRepositoriesJob,
    purpose: 'Deletes leftover repository files',
  },
  { every: '47 4 * * *', job: sweepIncomingJob, purpose: 'Deletes data received by interrupted pushes' },
  { every: '27 * * * *', job: sweepPushesJob, purpose: 'Cleans up old push records' },
  { every: '41 * * * *', job: sweepUploadsJob, purpose: 'Discards unfinished uploads' },
  { every: '29 * * * *', job: analyzeDatabaseJob, purpose: 'Gathers statistics for the embedded database' },
  { every: '33 * * * *', job: sweepAttachmentsJob, purpose: 'Deletes removed release files' },
  { every: '3-53/10 * * * *', job: sweepArtifactsJob, purpose: 'Deletes expired artifacts' },
  { every: '* * * * *', job: backupJob, purpose: 'Backs up the site when it is due' },
  { every: '* * * * *', job: sweepTasksJob, purpose: 'Times out stuck jobs' },
  { every: '*/10 * * * * *', job: resumeRunnersJob, purpose: 'Resumes paused runners' },
  { every: '37 * * * *', job: sweepRunnersJob, purpose: 'Deletes finished ephemeral runners' },
  {
    every: '43 * * * *',
    job: sweepNotificationsJob,
    purpose: 'Notifies people of expiring credentials, and deletes old notifications',
  },
  { every: '31 3 * * *', job: sweepDeliveriesJob, purpose: 'Deletes old webhook deliveries' },
]

/** Workers that run continuously in every process. */
export const workers: readonly Worker[] = [
  dispatchWebhooksWorker,
  sendWebhooksWorker,
  endUploadLocksWorker,
  startWorkflowsWorker,
  openCallsWorker,
  writeNotificationsWorker,
]
