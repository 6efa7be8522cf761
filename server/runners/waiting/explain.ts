import { atLeast } from '@/server/access/access-mode'
import { explainGroup, loadJob } from '@/server/actions'
import type { JobPath } from '@/server/actions/schema'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { type Candidate, selectCandidates, selectOpenNeeds } from './candidates'
import { type Assessment, assess, reasonOf } from './reason'
import type { ConsideredRunner, WaitingExplanation } from './schema'

const maxShown = 50

/**
 * Explains why a job waits. Everyone who can read the job gets one sentence; runners are shown only to people
 * who manage them.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions.
 */
export async function explainWaiting(ctx: ServiceCtx, path: JobPath): Promise<WaitingExplanation> {
  const { repository, owner, access, job } = await loadJob(ctx, path, 'read')
  const base = {
    job_id: job.id,
    queued_at: job.status === 'queued' && job.queued_at ? wireTime(job.queued_at) : null,
    missing_labels: [],
    runners: [],
  }
  if (job.status === 'completed') {
    return { ...base, reason: 'not_waiting', summary: 'The job has completed.' }
  }
  if (job.status === 'in_progress') {
    return { ...base, reason: 'not_waiting', summary: 'The job has started.' }
  }
  if (job.status === 'waiting') {
    if (job.hold === 'max_parallel') {
      const most = job.max_parallel === 1 ? '1 job' : `${job.max_parallel} jobs`
      const summary = `The matrix runs at most ${most} at a time because of its max-parallel.`
      return { ...base, reason: 'max_parallel', summary }
    }
    if (job.hold === 'call')
      return { ...base, reason: 'call', summary: 'The reusable workflow that the job calls is being read.' }
    if (job.called_id !== null && job.hold !== 'concurrency')
      return { ...base, reason: 'call', summary: 'The jobs of the reusable workflow have not started.' }
    const held = await explainGroup(ctx.db, job)
    if (held) return { ...base, reason: 'concurrency', summary: held }
    const needs = await selectOpenNeeds(ctx.db, job)
    const whose = needs.length > 0 ? `: ${needs.join(', ')}` : ''
    return { ...base, reason: 'needs', summary: `The job is waiting for other jobs in the run${whose}.` }
  }
  if (repository.archived_at) {
    return { ...base, reason: 'archived', summary: 'The repository is archived, so its jobs do not run.' }
  }
  if (job.runner_group !== null) {
    const summary = `No runner is in the group ${job.runner_group}. Runner groups are not supported.`
    return { ...base, reason: 'runner_group', summary }
  }
  const now = ctx.clock.now()
  const candidates = await selectCandidates(ctx.db, repository, job.labels)
  const assessed = candidates.map(runner => ({ runner, assessment: assess(runner, job.labels, now) }))
  const maySee = (runner: Candidate): boolean => {
    if (runner.repository_id !== null) return atLeast(access.mode, 'admin')
    if (runner.owner_id !== null) return atLeast(access.mode, 'owner')
    return isAdmin(ctx.caller)
  }
  const settingsOf = (runner: Candidate): string => {
    if (runner.repository_id !== null) return `${owner.name}/${repository.name}/settings`
    if (runner.owner_id !== null && owner.kind === 'organization') return `-/orgs/${owner.name}/settings`
    // Only administrators, who manage all runners, see the runners of another person.
    return isSelf(ctx.caller, runner.owner_id) ? 'user/settings' : '-/admin'
  }
  const visible = assessed.filter(({ runner }) => maySee(runner)).slice(0, maxShown)
  return {
    ...base,
    ...reasonOf(
      job.labels,
      assessed.map(({ assessment }) => assessment),
    ),
    runners: visible.map(({ runner, assessment }) => ({
      ...viewConsidered(runner, assessment),
      html_url: `${ctx.config.baseUrl}/${settingsOf(runner)}/actions/runners/${runner.id}`,
    })),
  }
}

function viewConsidered(
  runner: Candidate,
  { labels, ...met }: Assessment,
): Omit<ConsideredRunner, 'html_url'> {
  const { last_online_at, resume_at } = runner
  return {
    id: runner.id,
    name: runner.name,
    scope: runner.repository_id !== null ? 'repository' : runner.owner_id !== null ? 'owner' : 'site',
    requirements: [
      ...labels.map(each => ({ kind: 'label' as const, ...each })),
      { kind: 'enabled', met: met.isEnabled },
      { kind: 'online', met: met.isOnline },
      { kind: 'free', met: met.isFree },
    ],
    last_online: last_online_at ? wireTime(last_online_at) : neverTime,
    note: met.isEnabled ? '' : runner.disabled_note,
    resume_at: !met.isEnabled && resume_at ? wireTime(resume_at) : null,
  }
}
