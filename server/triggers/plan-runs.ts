import type { Db } from '@/db/client'
import {
  type Asking,
  askingFor,
  askThread,
  type ChangedPaths,
  type RunPlan,
  selectRunsById,
} from '@/server/actions'
import { type ClaimedEvent, jobOfEvent } from '@/server/events'
import type { workflowPayloadOf } from '@/server/hooks/payload'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { shortRef } from '@/server/kernel/git/ref-names'
import type { RepositoryRow } from '@/server/repos'
import {
  fileOf,
  maxFileBytes,
  maxFiles,
  orTooMuch,
  readChangedPaths,
  readWorkflowFiles,
  summarize,
  type WorkflowFile,
} from './files'
import { askerOf, type Cause, failedRun, runOf } from './run-of'
import { type Commit, shortened } from './shortened'
import { selectDisabled, startOfRun } from './store'
import { type Trigger, triggerOf } from './trigger'

/** Repository where an event happened, with its owner and the event's actor. */
export type Scene = Pick<Cause, 'repository' | 'owner' | 'actor'>

/**
 * Plans the runs that an event starts, from the workflows of its commit. An invalid workflow becomes a failed
 * run that shows the mistake.
 * @throws {DomainError} tooManyRequests if Git or the thread that reads workflows is overloaded.
 */
export async function planRuns(
  ctx: ServiceCtx,
  event: ClaimedEvent,
  scene: Scene,
  makePayload: typeof workflowPayloadOf,
): Promise<RunPlan[]> {
  // Only runs are skipped; schedules are still updated after such a push.
  if ('skipsWorkflows' in event.facts && event.facts.skipsWorkflows) return []
  // Otherwise, a workflow that pushes could start itself endlessly. Runs that follow others are limited.
  if (jobOfEvent(event) && !event.kind.startsWith('run.')) return []
  const { repository } = scene
  const found = triggerOf(event, repository)
  const read = found && (await readWorkflowFiles(ctx, repository.storage_key, found.revision))
  const body = read && (await makePayload(ctx, event))?.body
  if (!body) return []
  const { message, ...summary } = describeTrigger({ ...body }, repository)
  if (found.name === 'push' && isSkipped(message)) return []
  const followed = found.name === 'workflow_run' ? await findFollowed(ctx.db, event) : undefined
  if (found.name === 'workflow_run' && !followed) return []
  if (followed && (await hasFollowedEnough(ctx, repository))) return []
  const { name, ref } = found
  const trigger = followed ? { ...found, followed } : found
  const about = { event: name, ref, commit: read.commit, eventId: event.id, level: followed?.level ?? 0 }
  return await planFiles(ctx, { ...scene, ...summary, ...about }, trigger, read.files)
}

/**
 * Plans the runs that something starts, from these workflow files. An invalid workflow becomes a failed run that
 * shows the mistake.
 * @throws {DomainError} as `planRuns`.
 */
export async function planFiles(
  ctx: ServiceCtx,
  cause: Cause,
  trigger: Trigger,
  files: readonly WorkflowFile[],
): Promise<RunPlan[]> {
  const changedPaths = pathsOf(ctx, cause, trigger)
  const disabled = await selectDisabled(ctx.db, cause.repository.id)
  const runs: RunPlan[] = []
  for (const file of files.filter(each => !disabled.has(fileOf(each))))
    runs.push(...(await planFile(ctx, file, { cause, trigger, changedPaths })))
  return runs
}

// As on GitHub, at most three workflows follow each other after the first one.
const maxLevel = 3

// Each run has three events that can each start all workflows of the repository, and so can the events of those
// runs, so one push could start millions of runs that end at once.
const maxFollowing = 500
const followingMs = 60 * 60 * 1000

async function hasFollowedEnough(ctx: ServiceCtx, { id }: Pick<RepositoryRow, 'id'>): Promise<boolean> {
  const started = await startOfRun(ctx.db, id, 'workflow_run', maxFollowing)
  const isEnough = started !== undefined && ctx.clock.now().getTime() - started.getTime() < followingMs
  if (isEnough) ctx.log.warn({ repository: id }, 'too many runs follow others, so an event starts none')
  return isEnough
}

/** Finds the run that a `workflow_run` event is about; undefined if no workflow may follow it. */
async function findFollowed(db: Db, { facts }: ClaimedEvent) {
  const id = 'runId' in facts ? facts.runId : undefined
  const run = id === undefined ? undefined : (await selectRunsById(db, [id])).get(id)?.run
  if (!run || run.level >= maxLevel) return undefined
  return { workflow: run.workflow_name, branch: shortRef(run.ref), level: run.level + 1 }
}

interface Body extends Record<string, unknown> {
  commits?: Commit[]
  head_commit?: Commit | null
  release?: { name: string; tag_name: string }
  workflow_run?: { display_title: string }
}

// `message` is the message of the newest commit.
function describeTrigger(
  body: Body,
  { default_branch }: Pick<RepositoryRow, 'default_branch'>,
): Pick<Cause, 'payload' | 'title'> & { message: string } {
  const { head_commit, release, workflow_run } = body
  const message = head_commit?.message ?? ''
  return {
    payload: { ...shortened(body), ...('ref_type' in body && { master_branch: default_branch }) },
    message,
    title: firstLine(message) || release?.name || release?.tag_name || workflow_run?.display_title || '',
  }
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0]?.trim().slice(0, 255) ?? ''

const skips = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: *true\s*$/im
const isSkipped = (message: string): boolean => skips.test(message)

type PathReader = () => Promise<ChangedPaths>

function pathsOf(ctx: ServiceCtx, { repository, commit }: Cause, { ref, before }: Trigger): PathReader {
  const alongside = `refs/heads/${repository.default_branch}`
  let read: ReturnType<PathReader> | undefined
  return async () => {
    // The first push of the default branch has nothing to be compared with.
    if (before === undefined && ref === alongside) return null
    read ??= readChangedPaths(ctx, repository.storage_key, { commit, before, alongside })
    return await read
  }
}

async function planFile(
  ctx: ServiceCtx,
  { path, document }: WorkflowFile,
  { cause, trigger, changedPaths }: { cause: Cause; trigger: Trigger; changedPaths: PathReader },
): Promise<RunPlan[]> {
  if (document === undefined) {
    return isPushOfBranch(trigger) ? [failedRun(ctx, cause, { path }, tooMuch)] : []
  }
  const file = { path, document }
  const asking = askingFor(ctx, askerOf(cause))
  let asked: readonly string[] | undefined
  try {
    asked = await asksFor(asking, document, trigger, changedPaths)
    const runs: RunPlan[] = []
    for (const action of asked) runs.push(await runOf(ctx, causeOf(cause, action), file))
    return runs
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'unprocessable') throw error
    if (!asked && !(await mayAskFor(asking, document, trigger))) return []
    return [failedRun(ctx, cause, file, error.message)]
  }
}

// As on GitHub, each activity starts a run of its own.
const causeOf = (cause: Cause, action: string): Cause =>
  action === '' ? cause : { ...cause, payload: { ...cause.payload, action } }

async function asksFor(
  asking: Asking,
  document: string,
  { name, activities, ref, followed }: Trigger,
  changedPaths: PathReader,
): Promise<readonly string[]> {
  const input = { document, happening: { name, activities, ref, ...(followed && { followed }) } }
  const answer = await askThread(asking, 'asksFor', input)
  if (answer !== 'dependsOnPaths') return answer
  const again = await askThread(asking, 'asksFor', { ...input, changed: await changedPaths() })
  return again === 'dependsOnPaths' ? [] : again
}

const tooMuch =
  `The workflow was not read. At most ${maxFiles} workflow files of up to ${maxFileBytes / 1024} KiB each are read, ` +
  'with a maximum of 4 MiB in total.'

// An invalid workflow starts a failed run if it names the event. If its events cannot be read, only pushes of
// branches start one.
async function mayAskFor(asking: Asking, document: string, trigger: Trigger): Promise<boolean> {
  const summary = await orTooMuch(summarize(asking, document))
  return summary?.events.includes(trigger.name) ?? isPushOfBranch(trigger)
}

const isPushOfBranch = ({ name, ref }: Trigger): boolean => name === 'push' && ref.startsWith('refs/heads/')
