import type { Job } from '@/server/kernel/jobs'
import { recoverPushesJob } from '@/server/repos/push/recover'
import { sweepRepositoriesJob } from '@/server/repos/storage/sweep'
import { sweepSessionsJob } from '@/server/sessions/sweep'
import { sweepTokensJob } from '@/server/tokens/sweep'
import { analyzeDatabaseJob } from './analyze-database'

/** Every background job. */
export const jobs: readonly Job[] = [
  analyzeDatabaseJob,
  recoverPushesJob,
  sweepRepositoriesJob,
  sweepSessionsJob,
  sweepTokensJob,
]
