import { namedWorkflow, type ReadyRun, readWorkflow, type Workflow } from '@/server/actions'
import type { ClaimedEvent } from '@/server/events'
import type { payloadOf } from '@/server/hooks/payload'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import {
  eachFile,
  fileOf,
  maxFileBytes,
  maxFiles,
  readChangedPaths,
  readWorkflowFiles,
  type WorkflowFile,
} from './files'
import { asksFor, type ChangedPaths } from './filter'
import { type Cause, failedRun, runOf } from './run-of'
import { type Commit, shortened } from './shortened'
import { selectDisabled } from './store'
import { type Trigger, triggerOf } from './trigger'

/** Where an event happened, and who did it. */
export type Scene = Pick<Cause, 'repository' | 'owner' | 'actor'>

/**
 * Plans the runs that an event starts, from the workflows of its commit. A workflow that is invalid becomes a failed run
 * that says why.
 * @throws {DomainError} tooManyRequests if git is overloaded.
 */
export async function planRuns(
  ctx: ServiceCtx,
  event: ClaimedEvent,
  scene: Scene,
  makePayload: typeof payloadOf,
): Promise<ReadyRun[]> {
  const { repository } = scene
  const found = triggerOf(event, repository)
  const read = found && (await readWorkflowFiles(ctx, repository.storage_key, found.revision))
  const body = read && (await makePayload(ctx, event))?.body
  if (!body) return []
  const { trigger, message, ...told } = tell(found, { ...body })
  if (trigger.name === 'push' && isSkipped(message)) return []
  const { name, ref } = trigger
  const cause = { ...scene, ...told, event: name, ref, commit: read.commit, eventId: event.id }
  const changedPaths = pathsOf(ctx, cause, trigger)
  const disabled = await selectDisabled(ctx.db, repository.id)
  const enabled = read.files.filter(file => !disabled.has(fileOf(file)))
  const runs = await eachFile(enabled, file => planFile(ctx, file, { cause, trigger, changedPaths }))
  return runs.filter(run => run !== undefined)
}

interface Body extends Record<string, unknown> {
  commits?: Commit[]
  head_commit?: Commit | null
  release?: { name: string; tag_name: string; prerelease: boolean }
}

// `message` is that of the newest commit.
function tell(
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

function pathsOf(ctx: ServiceCtx, { repository, commit }: Cause, { ref, before }: Trigger): ChangedPaths {
  const beside = `refs/heads/${repository.default_branch}`
  let read: ReturnType<ChangedPaths> | undefined
  return async () => {
    // The first push of the default branch has nothing to compare with.
    if (before === undefined && ref === beside) return undefined
    read ??= readChangedPaths(ctx, repository.storage_key, { commit, before, beside })
    return await read
  }
}

async function planFile(
  ctx: ServiceCtx,
  { path, document }: WorkflowFile,
  { cause, trigger, changedPaths }: { cause: Cause; trigger: Trigger; changedPaths: ChangedPaths },
): Promise<ReadyRun | undefined> {
  if (document === undefined) {
    return isPushOfBranch(trigger) ? failedRun(ctx, cause, { path }, tooMuch) : undefined
  }
  const file = { path, document }
  let workflow: Workflow | undefined
  try {
    workflow = await readWorkflow(document)
    if (!(await asksFor(workflow.events, trigger, changedPaths))) return undefined
    return await runOf(ctx, cause, file, workflow)
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'unprocessable') throw error
    if (!workflow && !mayAskFor(document, trigger)) return undefined
    return failedRun(ctx, cause, file, error.message)
  }
}

const tooMuch =
  `The workflow was not read: at most ${maxFiles} files of ${maxFileBytes / 1024} KiB each are, ` +
  'and 4 MiB in all.'

// Of an invalid workflow, it is known at best what it names. If not even that, pushes of branches tell of it.
function mayAskFor(document: string, trigger: Trigger): boolean {
  return namedWorkflow(document)?.events.includes(trigger.name) ?? isPushOfBranch(trigger)
}

const isPushOfBranch = ({ name, ref }: Trigger): boolean => name === 'push' && ref.startsWith('refs/heads/')
