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
import { sweepRunnersJob } from '@/server/runners/remove'
import { resumeRunnersJob } from '@/server/runners/resume'
import { sweepSessionsJob } from '@/server/sessions/sweep'
import { sweepTokensJob } from '@/server/tokens/sweep'
import { startScheduledJob } from '@/server/triggers/schedule'
import { startWorkflowsWorker } from '@/server/triggers/worker'
import { analyzeDatabaseJob } from './analyze-database'

/** Every background job, and when it runs. The minutes differ, as each run holds a connection of its own. */
export const schedule: readonly ScheduledJob[] = [
  { every: '* * * * *', job: recoverPushesJob },
  { every: '* * * * *', job: startScheduledJob },
  { every: '* * * * *', job: storeLogsJob },
  { every: '*/5 * * * *', job: sweepObjectsJob },
  { every: '17 * * * *', job: sweepSessionsJob },
  { every: '19 * * * *', job: sweepTokensJob },
  { every: '23 * * * *', job: sweepRepositoriesJob },
  { every: '27 * * * *', job: sweepPushesJob },
  { every: '41 * * * *', job: sweepUploadsJob },
  { every: '29 * * * *', job: analyzeDatabaseJob },
  { every: '33 * * * *', job: sweepAttachmentsJob },
  { every: '3-53/10 * * * *', job: sweepArtifactsJob },
  { every: '* * * * *', job: sweepTasksJob },
  { every: '*/10 * * * * *', job: resumeRunnersJob },
  { every: '37 * * * *', job: sweepRunnersJob },
  { every: '31 3 * * *', job: sweepDeliveriesJob },
]

/** What goes on all the time, in every process. */
export const workers: readonly Worker[] = [
  dispatchWebhooksWorker,
  sendWebhooksWorker,
  endUploadLocksWorker,
  startWorkflowsWorker,
]
