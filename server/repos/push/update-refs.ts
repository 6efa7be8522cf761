import { involvedAccounts } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { durableConfig } from '@/server/kernel/git/environment'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { GitError, readGit } from '@/server/kernel/git/run'
import { repositoryPath } from '../storage/paths'
import type { RepositoryRow } from '../store'
import { isMaintenanceDue, maintenance } from './maintenance'
import type { RefUpdate } from './ref-update'
import { refusedWorkflowChange } from './refuse-workflows'
import { requireRecordable } from './require-recordable'
import { settlePush } from './settle'
import { beginPush, noteWanted, type Outcome, type Push, type PushNote } from './spool'

// Another process can be moving the ref; by default, Git would give up waiting after 100 milliseconds.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

/**
 * Creates, moves and deletes refs in one Git transaction, and records this like a push by the caller, which may rename a
 * branch (`renamed`) and has added objects of `addedBytes` to the repository. The
 * transaction fails unless each ref points to the object `before`; all zeros mean that the ref must not
 * exist. If the process is killed, the recovery job records the change later.
 * @throws {GitError} if Git rejects the transaction; {DomainError} forbidden for a job that would change workflow files;
 * also the errors of `requireRecordable`.
 */
export async function updateRefs(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  updates: readonly RefUpdate[],
  { renamed, addedBytes = 0 }: Pick<PushNote, 'renamed' | 'addedBytes'> = {},
): Promise<void> {
  if (updates.length === 0) return
  await requireRecordable(ctx)
  const isDue = isMaintenanceDue(repository)
  const push = await beginPush(ctx, repository, { renamed, addedBytes: isDue ? undefined : addedBytes })
  try {
    const directory = repositoryPath(ctx.config, repository.storage_key)
    await noteWanted(push, updates)
    const refusal = ctx.caller.kind === 'job' ? await refusalOfJob(push, directory, repository) : undefined
    const { outcome, failure } = refusal ?? (await run(directory, updates))
    await settlePush(ctx, push.note, outcome)
    if (isDue) maintenance().request?.(repository, involvedAccounts(ctx.caller)[0])
    if (failure) throw failure
  } finally {
    push.release()
  }
}

interface Result {
  outcome: Outcome
  failure?: unknown
}

async function refusalOfJob(
  { directory: spool }: Push,
  repository: string,
  { default_branch: defaultBranch }: RepositoryRow,
): Promise<Result | undefined> {
  const refusal = await refusedWorkflowChange({ spool, repository, defaultBranch, quarantine: '' })
  return refusal === undefined ? undefined : { outcome: undefined, failure: forbidden(refusal) }
}

async function run(repository: string, updates: readonly RefUpdate[]): Promise<Result> {
  let prepared = ''
  try {
    await readGit(
      ['update-ref', '-z', '--stdin'],
      { repository, settings, input: bytesForGit(commands(updates)) },
      chunk => {
        prepared += chunk
      },
    )
    return { outcome: { done: [...updates] } }
  } catch (failure) {
    // If Git ended by itself before it had prepared the transaction, it changed nothing. After any other
    // failure, the refs show what was changed.
    const didNothing =
      failure instanceof GitError && failure.exitCode !== undefined && !prepared.includes('prepare: ok')
    return { outcome: didNothing ? undefined : { wanted: [...updates] }, failure }
  }
}

// Updates a symbolic ref itself, not the ref to which it points.
const commands = (updates: readonly RefUpdate[]): string =>
  [
    'start',
    ...updates.flatMap(({ ref, before, after }) => ['option no-deref', `update ${ref}`, after, before]),
    'prepare',
    'commit',
  ]
    .map(word => `${word}\0`)
    .join('')
