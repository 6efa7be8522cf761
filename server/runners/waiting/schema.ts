import { z } from 'zod'
import { wireId, wireTimeSchema } from '@/server/kernel/wire'

/** What a runner must meet to be given a job. */
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
    last_online: wireTimeSchema.describe('`0001-01-01T00:00:00Z` until it has called.'),
    note: z.string().describe('Why it is disabled.'),
    resume_at: wireTimeSchema.nullable(),
    html_url: z.string().describe('The page where you manage it.'),
  })
  .meta({ id: 'ActionConsideredRunner' })
export type ConsideredRunner = z.output<typeof ConsideredRunner>

export const waitingReasons = [
  'not_waiting',
  'needs',
  'archived',
  'no_runner',
  'labels',
  'offline',
  'paused',
  'busy',
  'soon',
] as const

/** Why a job waits. */
export const WaitingExplanation = z
  .object({
    job_id: wireId,
    reason: z.enum(waitingReasons),
    summary: z.string().describe('One sentence.'),
    queued_at: wireTimeSchema.nullable().describe('Since when a runner can take it.'),
    missing_labels: z.array(z.string()).describe('Labels of the job that no runner has.'),
    runners: z
      .array(ConsideredRunner)
      .describe('The runners that could be given the job, as far as you manage them; at most 50.'),
  })
  .meta({ id: 'ActionWaitingExplanation' })
export type WaitingExplanation = z.output<typeof WaitingExplanation>
