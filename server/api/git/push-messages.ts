import { isRunnable, type RunSummary } from '@/server/actions'
import { encodePath } from '@/server/kernel/url-path'
import { mayReadActions, type RepositoryWithAccess } from '@/server/repos'
import { isAbsent, isBranch, type RefUpdate } from '@/server/repos/push'
import { hasWorkflowFiles } from '@/server/triggers/files'
import { startedRuns } from '@/server/triggers/started-runs'
import type { Authorized } from './authorize'
import { sidebandLines } from './sideband'

// More than this is a program, or the first push to a mirror.
const [maxBranches, maxRuns] = [3, 5]

/** The result of a push, with its events. */
export interface Pushed {
  updates: readonly RefUpdate[]
  eventIds: readonly number[]
}

/**
 * Sends messages about a recorded push, if the client shows them and was not asked to be quiet: the pages of its
 * branches, where new ones are compared with the default branch, and the workflow runs that it started, for which it
 * waits at most half a second. Must be called before the last packet is sent.
 */
export async function sendPushMessages(
  authorized: Authorized,
  pushed: Pushed,
  capabilities: ReadonlySet<string>,
): Promise<Buffer> {
  if (!capabilities.has('side-band-64k') || capabilities.has('quiet')) return Buffer.alloc(0)
  try {
    return sidebandLines(await linesOf(authorized, pushed))
  } catch (error) {
    // The push is complete and recorded, even if its messages cannot be sent.
    const { log, requestId } = authorized.ctx
    log.warn({ err: error, requestId }, 'could not send the messages of a push')
    return Buffer.alloc(0)
  }
}

async function linesOf({ ctx, opened: { seen } }: Authorized, pushed: Pushed): Promise<string[]> {
  const { owner, repository } = seen
  const page = `${ctx.config.baseUrl}/${owner.name}/${repository.name}`
  const moved = pushed.updates.filter(({ ref, after }) => isBranch(ref) && !isAbsent(after))
  // The first push may bring other branches only; one of them then becomes the default branch.
  const hasBase = !repository.is_empty || moved.some(update => nameOf(update) === repository.default_branch)
  const branches =
    moved.length > maxBranches ? [] : moved.flatMap(update => linesOfBranch(page, seen, update, hasBase))
  const mayBeShown = mayReadActions(seen) && isRunnable(repository) && pushed.eventIds.length > 0
  return [...branches, ...(mayBeShown ? await linesOfRuns(ctx, page, seen, pushed) : [])]
}

const nameOf = ({ ref }: RefUpdate): string => ref.split('/').slice(2).join('/')

function linesOfBranch(
  page: string,
  { repository }: RepositoryWithAccess,
  update: RefUpdate,
  hasBase: boolean,
): string[] {
  const name = nameOf(update)
  const { default_branch: base } = repository
  if (name === base) return [`Branch ${shown(name)}: ${page}`]
  const lines = [`Branch ${shown(name)}: ${page}/src/branch/${encodePath(name)}`]
  const compare = `${page}/compare/${encodePath(base)}...${encodePath(name)}`
  return hasBase && isAbsent(update.before) ? [...lines, `Compare with ${shown(base)}: ${compare}`] : lines
}

async function linesOfRuns(
  ctx: Authorized['ctx'],
  page: string,
  { repository }: RepositoryWithAccess,
  { updates, eventIds }: Pushed,
): Promise<string[]> {
  const runs = await startedRuns(ctx, eventIds, maxRuns + 1)
  const all = `${page}/actions`
  if (runs) {
    const more = runs.length > maxRuns ? [`More workflow runs: ${all}`] : []
    return [...runs.slice(0, maxRuns).map(run => lineOfRun(all, run)), ...more]
  }
  const tip = updates.find(({ after }) => !isAbsent(after))
  const mayStart = tip && (await hasWorkflowFiles(ctx, repository.storage_key, tip.after))
  return mayStart ? [`Workflow runs for this push: ${all}`] : []
}

function lineOfRun(all: string, { id, number, workflow_name: name, error }: RunSummary): string {
  return `Workflow ${shown(name)} #${number} ${error ? 'could not start' : 'started'}: ${all}/runs/${id}`
}

const maxShown = 100

// Workflow names are text that anyone can write into a file, and terminals interpret control characters.
const shown = (name: string): string => name.replace(/\p{C}/gu, '').slice(0, maxShown)
