import { withTransaction } from '@/db/transaction'
import { recordEvents } from '@/server/events'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isRefName } from '@/server/kernel/git/ref-name'
import { eachRef, oneRef, type Ref } from '@/server/kernel/git/refs'
import { keepAccounts } from '@/server/users'
import { followDefaultBranch, readHead } from '../storage/head'
import { pushPath, repositoryPath } from '../storage/paths'
import { sizeKib } from '../storage/size'
import { findRepositoryById, type RepositoryRow } from '../store'
import { pushEvents } from './events'
import { followTags, movedTags } from './follow-tags'
import { skipsWorkflows } from './options'
import { isAbsent, isBranch, isTag, type RefUpdate } from './ref-update'
import { followRenames } from './renamed-branches'
import type { PushNote } from './spool'
import { insertRecordedPush, type PushedState, updateIfUnchanged } from './store'

// A retry is needed each time another push or a new default branch is recorded first. It reads the refs
// again.
const maxRetries = 20

// One queue per repository, so that pushes to the same repository do not race each other in this process.
const oneAtATime = createQueues()

/**
 * Records a push in one transaction: the repository's new state, the releases whose tags the push moved, the former
 * name of a branch that it renamed, and the events. Idempotent, even if several processes record the same push
 * concurrently. Does nothing if the repository is deleted, or fails if that happens concurrently.
 * @returns the IDs of the recorded events
 * @throws the signal's reason if it is aborted before the push is recorded.
 */
export async function recordPush(
  ctx: ServiceCtx,
  note: MeasuredPush,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<number[]> {
  if (updates.length === 0) return []
  const repository = note.repository ?? (await findRepositoryById(ctx.db, note.repositoryId))
  if (!repository) return []
  const directory = repositoryPath(ctx.config, repository.storage_key)
  const target = {
    repositoryId: repository.id,
    deployKey: note.deployKey,
    skipsWorkflows: await skipsWorkflows(pushPath(ctx.config, note.key)),
  }
  const events = await pushEvents(target, directory, updates, signal)
  const attempt = { note, updates, events, signal }
  return await oneAtATime(repository.id, async () => {
    for (let race = 0; race < maxRetries; race++) {
      signal?.throwIfAborted()
      const row = (race === 0 && note.repository) || (await findRepositoryById(ctx.db, note.repositoryId))
      if (!row) return []
      const recorded = await record(ctx, row, attempt)
      if (recorded) return recorded
    }
    throw new Error('the repository changed during every attempt to record a push')
  })
}

/** A push, and what is known about its effect. */
export interface MeasuredPush extends PushNote {
  /** About how many bytes its objects take. */
  addedBytes?: number | undefined
  /** The repository before the push. The first attempt to record it needs no newer row: it fails if the row has changed. */
  repository?: RepositoryRow
}

interface Attempt {
  note: MeasuredPush
  updates: readonly RefUpdate[]
  events: Awaited<ReturnType<typeof pushEvents>>
  signal: AbortSignal | undefined
}

/**
 * Returns undefined if another change was recorded since the state was read, because that change can be based
 * on newer refs.
 */
async function record(
  ctx: ServiceCtx,
  row: RepositoryRow,
  { note, updates, events, signal }: Attempt,
): Promise<number[] | undefined> {
  const { state, newHead } = await pushedState(ctx, row, { note, updates }, signal)
  const directory = repositoryPath(ctx.config, row.storage_key)
  const tags = await movedTags(directory, updates, signal)
  const recorded = await withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [note.actorId])
    if (!(await updateIfUnchanged(trx, row, state))) return undefined
    if (!(await insertRecordedPush(trx, note.key))) return []
    const ownerId = row.owner_id
    const ids = await recordEvents(
      trx,
      note,
      events.map(event => ({ ...event, ownerId })),
    )
    await followTags(trx, row, tags, state.updated_at)
    await followRenames(trx, note, updates, state.updated_at)
    return ids
  })
  if (recorded && newHead) await followDefaultBranch(ctx, row.id)
  return recorded
}

interface Pushed {
  state: PushedState
  /** The branch to which HEAD must be set; undefined if HEAD already points to it. */
  newHead: string | undefined
}

/**
 * Reads the repository's state after a push. Clones check out HEAD, which normally points to the default
 * branch. If the default branch does not exist, it is replaced by its new name, HEAD's branch, `main`, `master`, a pushed
 * branch or any other branch, in this order. HEAD is also set again if a crash left it different from the
 * default branch.
 */
async function pushedState(
  { config, clock }: ServiceCtx,
  row: RepositoryRow,
  { note, updates }: Pick<Attempt, 'note' | 'updates'>,
  signal: AbortSignal | undefined,
): Promise<Pushed> {
  const now = clock.now()
  const repository = repositoryPath(config, row.storage_key)
  const head = await readHead(repository)
  const pushed = updates.map(update => update.ref).filter(mayBeHead)
  const defaults = ['main', 'master'].map(name => branchPrefix + name)
  const renamed = note.renamed?.from === row.default_branch ? [branchPrefix + note.renamed.to] : []
  const candidates = [branchPrefix + row.default_branch, ...renamed, head, ...defaults, ...pushed]
  const pushedTimes = { pushed_at: now, updated_at: now }
  const size_kib = await sizeAfter(repository, row, note)
  if (await onlyMovesBranches(repository, row, { head, updates })) {
    const { branch_count, tag_count, is_empty, default_branch } = row
    const state = {
      size_kib,
      branch_count,
      tag_count: tag_count ?? 0,
      is_empty,
      default_branch,
      ...pushedTimes,
    }
    return { state, newHead: undefined }
  }
  const { refs, branches, tags, present, first } = await survey(repository, new Set(candidates), signal)
  const selected = candidates.find(ref => present.has(ref)) ?? first
  const branch = selected?.slice(branchPrefix.length)
  const state = {
    size_kib,
    branch_count: branches,
    tag_count: tags,
    is_empty: refs === 0,
    default_branch: branch ?? row.default_branch,
    ...pushedTimes,
  }
  return { state, newHead: selected === head ? undefined : branch }
}

// Measuring takes longer the more files there are, so it is left to pushes of unknown size.
async function sizeAfter(
  repository: string,
  { size_kib }: RepositoryRow,
  { addedBytes }: MeasuredPush,
): Promise<number> {
  return addedBytes === undefined ? await sizeKib(repository) : size_kib + Math.ceil(addedBytes / 1024)
}

/** Returns whether the numbers of refs and the default branch cannot have changed, so that refs need not be listed. */
async function onlyMovesBranches(
  repository: string,
  { is_empty, tag_count, default_branch }: RepositoryRow,
  { head, updates }: { head: string; updates: readonly RefUpdate[] },
): Promise<boolean> {
  const ref = branchPrefix + default_branch
  const isMove = ({ ref, before, after }: RefUpdate) => isBranch(ref) && !isAbsent(before) && !isAbsent(after)
  if (is_empty || tag_count === null || head !== ref || !updates.every(isMove)) return false
  return updates.some(update => update.ref === ref) || (await oneRef(repository, ref)) !== undefined
}

const branchPrefix = 'refs/heads/'

// Git accepts branch names that cannot be passed back to it unambiguously.
function mayBeHead(ref: string): boolean {
  return isBranch(ref) && isRefName(ref.slice(branchPrefix.length))
}

interface Survey {
  refs: number
  branches: number
  tags: number
  /** The refs among the sought ones that exist. */
  present: Set<string>
  /** The first branch to which HEAD can point. */
  first: string | undefined
}

async function survey(
  repository: string,
  sought: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Survey> {
  const found: Survey = { refs: 0, branches: 0, tags: 0, present: new Set(), first: undefined }
  const take = ({ ref }: Ref) => {
    found.refs++
    if (isTag(ref)) found.tags++
    if (!isBranch(ref)) return
    found.branches++
    if (!found.first && mayBeHead(ref)) found.first = ref
    if (sought.has(ref)) found.present.add(ref)
  }
  await eachRef(repository, 'refs/', take, signal)
  return found
}
