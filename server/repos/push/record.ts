import { withTransaction } from '@/db/transaction'
import { recordEvents } from '@/server/events'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isRefName } from '@/server/kernel/git/ref-name'
import { eachRef, type Ref } from '@/server/kernel/git/refs'
import { keepAccounts } from '@/server/users'
import { followDefaultBranch, readHead } from '../storage/head'
import { pushPath, repositoryPath } from '../storage/paths'
import { sizeKib } from '../storage/size'
import { findRepositoryById, type RepositoryRow } from '../store'
import { pushEvents } from './events'
import { followTags, movedTags } from './follow-tags'
import { skipsWorkflows } from './options'
import { isBranch, isTag, type RefUpdate } from './ref-update'
import type { PushNote } from './spool'
import { insertRecordedPush, type PushedState, updateIfUnchanged } from './store'

// Each time a push taken by another process, or another choice of the default branch, was recorded first, the refs are
// read again.
const maxRetries = 20

// By repository, so that pushes to one in this process do not race each other.
const oneAtATime = createQueues()

/**
 * Records what a push did: the repository's state, that of releases whose tags it moved, and the events, together and once,
 * however often and by however many processes this is called for the same push. A repository deleted concurrently is left
 * at that.
 * @returns the ids of the events
 * @throws the signal's reason when that is aborted before it is done.
 */
export async function recordPush(
  ctx: ServiceCtx,
  note: PushNote,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<number[]> {
  if (updates.length === 0) return []
  const repository = await findRepositoryById(ctx.db, note.repositoryId)
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
      const recorded = await record(ctx, attempt)
      if (recorded) return recorded
    }
    throw new Error('the repository changed each time a push was about to be recorded')
  })
}

interface Attempt {
  note: PushNote
  updates: readonly RefUpdate[]
  events: Awaited<ReturnType<typeof pushEvents>>
  signal: AbortSignal | undefined
}

/** Undefined when something else was recorded since the state was read: its view of the refs may be newer than ours. */
async function record(
  ctx: ServiceCtx,
  { note, updates, events, signal }: Attempt,
): Promise<number[] | undefined> {
  const row = await findRepositoryById(ctx.db, note.repositoryId)
  if (!row) return []
  const { state, newHead } = await pushedState(ctx, row, updates, signal)
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
    return ids
  })
  if (recorded && newHead) await followDefaultBranch(ctx, row.id)
  return recorded
}

interface Pushed {
  state: PushedState
  /** The branch that HEAD must be set to, when it leads to another. */
  newHead: string | undefined
}

/**
 * Looks at a repository after a push. Clones check out what HEAD leads to, which is the default branch: when there is
 * none of that name, those pushed decide, and HEAD follows the row again where a crash came between the two.
 */
async function pushedState(
  { config, clock }: ServiceCtx,
  row: RepositoryRow,
  updates: readonly RefUpdate[],
  signal: AbortSignal | undefined,
): Promise<Pushed> {
  const now = clock.now()
  const repository = repositoryPath(config, row.storage_key)
  const head = await readHead(repository)
  const pushed = updates.map(update => update.ref).filter(mayBeHead)
  const defaults = ['main', 'master'].map(name => branchPrefix + name)
  const candidates = [branchPrefix + row.default_branch, head, ...defaults, ...pushed]
  const { refs, branches, tags, present, first } = await survey(repository, new Set(candidates), signal)
  const selected = candidates.find(ref => present.has(ref)) ?? first
  const branch = selected?.slice(branchPrefix.length)
  const state = {
    size_kib: await sizeKib(repository),
    branch_count: branches,
    tag_count: tags,
    is_empty: refs === 0,
    default_branch: branch ?? row.default_branch,
    pushed_at: now,
    updated_at: now,
  }
  return { state, newHead: selected === head ? undefined : branch }
}

const branchPrefix = 'refs/heads/'

// Git takes more names than can be asked for without being misread.
function mayBeHead(ref: string): boolean {
  return isBranch(ref) && isRefName(ref.slice(branchPrefix.length))
}

interface Survey {
  refs: number
  branches: number
  tags: number
  /** Those of the refs sought that there are. */
  present: Set<string>
  /** The first branch that HEAD may lead to. */
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
