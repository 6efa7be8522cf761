import { type Asking, askingFor, askThread, type ChangedPaths, type RunPlan } from '@/server/actions'
import { type ClaimedEvent, jobOfEvent } from '@/server/events'
import type { payloadOf } from '@/server/hooks/payload'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
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
import { selectDisabled } from './store'
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
  makePayload: typeof payloadOf,
): Promise<RunPlan[]> {
  // Only runs are skipped; schedules are still updated after such a push.
  if ('skipsWorkflows' in event.facts && event.facts.skipsWorkflows) return []
  // Otherwise, a workflow that pushes could start itself endlessly.
  if (jobOfEvent(event)) return []
  const { repository } = scene
  const found = triggerOf(event, repository)
  const read = found && (await readWorkflowFiles(ctx, repository.storage_key, found.revision))
  const body = read && (await makePayload(ctx, event))?.body
  if (!body) return []
  const { trigger, message, ...summary } = describeTrigger(found, { ...body })
  if (trigger.name === 'push' && isSkipped(message)) return []
  const { name, ref } = trigger
  const cause = { ...scene, ...summary, event: name, ref, commit: read.commit, eventId: event.id }
  const changedPaths = pathsOf(ctx, cause, trigger)
  const disabled = await selectDisabled(ctx.db, repository.id)
  const enabled = read.files.filter(file => !disabled.has(fileOf(file)))
  const runs: RunPlan[] = []
  for (const file of enabled) {
    const run = await planFile(ctx, file, { cause, trigger, changedPaths })
    if (run) runs.push(run)
  }
  return runs
}

interface Body extends Record<string, unknown> {
  commits?: Commit[]
  head_commit?: Commit | null
  release?: { name: string; tag_name: string; prerelease: boolean }
}

// `message` is the message of the newest commit.
function describeTrigger(
  trigger: Trigger,
  body: Body,
): Pick<Cause, 'payload' | 'title'> & { trigger: Trigger; message: string } {
  const { head_commit, release } = body
  const message = head_commit?.message ?? ''
  const other = release?.prerelease ? 'released' : 'prereleased'
  const activities = trigger.activities.filter(activity => activity !== other)
  const [action] = activities
  return {
    trigger: { ...trigger, activities },
    payload: { ...shortened(body), ...(action && { action }) },
    message,
    title: firstLine(message) || release?.name || release?.tag_name || '',
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
): Promise<RunPlan | undefined> {
  if (document === undefined) {
    return isPushOfBranch(trigger) ? failedRun(ctx, cause, { path }, tooMuch) : undefined
  }
  const file = { path, document }
  const asking = askingFor(ctx, askerOf(cause))
  let isAsked = false
  try {
    isAsked = await asksFor(asking, document, trigger, changedPaths)
    return isAsked ? await runOf(ctx, cause, file) : undefined
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'unprocessable') throw error
    if (!isAsked && !(await mayAskFor(asking, document, trigger))) return undefined
    return failedRun(ctx, cause, file, error.message)
  }
}

async function asksFor(
  asking: Asking,
  document: string,
  { name, activities, ref }: Trigger,
  changedPaths: PathReader,
): Promise<boolean> {
  const input = { document, happening: { name, activities, ref } }
  const answer = await askThread(asking, 'asksFor', input)
  if (answer !== 'dependsOnPaths') return answer
  return (await askThread(asking, 'asksFor', { ...input, changed: await changedPaths() })) === true
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
