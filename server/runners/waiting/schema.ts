import { z } from 'zod'
import { wireId, wireTimeSchema } from '@/server/kernel/wire'

/** Requirement that a runner must meet to be assigned a job. */
const Requirement = z
  .object({
    kind: z.enum(['label', 'enabled', 'online', 'free']),
    label: z.string().optional(),
    met: z.boolean(),
  })
  .meta({ id: 'ActionRunnerRequirement' })

const ConsideredRunner = z
  .object({
    id: wireId,
    name: z.string(),
    scope: z.enum(['repository', 'owner', 'site']),
    requirements: z.array(Requirement),
    last_online: wireTimeSchema.describe(
      '`0001-01-01T00:00:00Z` if the runner has never contacted the server.',
    ),
    note: z.string().describe('Why the runner is disabled.'),
    resume_at: wireTimeSchema.nullable(),
    html_url: z.string().describe('The page where you manage the runner.'),
  })
  .meta({ id: 'ActionConsideredRunner' })
export type ConsideredRunner = z.output<typeof ConsideredRunner>

export const waitingReasons = [
  'not_waiting',
  'needs',
  'max_parallel',
  'concurrency',
  'call',
  'archived',
  'runner_group',
  'no_runner',
  'labels',
  'offline',
  'paused',
  'busy',
  'soon',
] as const

/** Explanation of why a job waits. */
export const WaitingExplanation = z
  .object({
    job_id: wireId,
    reason: z.enum(waitingReasons),
    summary: z.string().describe('The reason in one sentence.'),
    queued_at: wireTimeSchema.nullable().describe('When the job was queued for runners.'),
    missing_labels: z.array(z.string()).describe('Job labels that no runner has.'),
    runners: z
      .array(ConsideredRunner)
      .describe('Up to 50 runners that could take the job and that you manage.'),
  })
  .meta({ id: 'ActionWaitingExplanation' })
export type WaitingExplanation = z.output<typeof WaitingExplanation>
