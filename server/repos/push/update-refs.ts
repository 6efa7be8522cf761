import { Readable } from 'node:stream'
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
import { beginPush, type Outcome, type Push, type PushNote } from './spool'

// Another process can be moving the ref; by default, Git would give up waiting after 100 milliseconds.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

/**
 * Creates, moves and deletes refs in one Git transaction, and records this like a push by the caller. The
 * transaction fails unless each ref points to the object `before`; all zeros mean that the ref must not
 * exist. If the process is killed, the recovery job records the change later.
 * @throws {GitError} if Git rejects the transaction; {DomainError} forbidden for a job that would change workflow files;
 * also the errors of `requireRecordable` and of
 * `written`.
 */
export async function updateRefs(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  updates: readonly RefUpdate[],
  { renamed, written = Promise.resolve(0) }: RefUpdateOptions = {},
): Promise<void> {
  if (updates.length === 0) return
  await requireRecordable(ctx)
  const isDue = isMaintenanceDue(repository)
  const push = await beginPush(ctx, repository, { renamed, updates })
  try {
    const directory = repositoryPath(ctx.config, repository.storage_key)
    const isJob = ctx.caller.kind === 'job'
    const refusal = isJob ? await refusalOfJob(push, { directory, repository, written }) : undefined
    const { outcome, failure } = refusal ?? (await run(directory, updates, written))
    const addedBytes = outcome && !isDue ? await written : undefined
    await settlePush(ctx, { ...push.note, addedBytes }, outcome)
    if (isDue) maintenance().request?.(repository, involvedAccounts(ctx.caller)[0])
    if (failure) throw failure
  } finally {
    push.release()
  }
}

/** More about a change of refs. */
interface RefUpdateOptions {
  renamed?: PushNote['renamed']
  /** Resolves to about how many bytes the objects take to which the refs will point, once they are written. */
  written?: Promise<number>
}

interface Result {
  outcome: Outcome
  failure?: unknown
}

async function refusalOfJob(
  { directory: spool }: Push,
  {
    directory,
    repository: { default_branch: defaultBranch },
    written,
  }: { directory: string; repository: RepositoryRow; written: Promise<unknown> },
): Promise<Result | undefined> {
  try {
    await written
  } catch (failure) {
    return { outcome: undefined, failure }
  }
  const refusal = await refusedWorkflowChange({
    spool,
    repository: directory,
    defaultBranch,
    quarantine: '',
  })
  return refusal === undefined ? undefined : { outcome: undefined, failure: forbidden(refusal) }
}

async function run(
  repository: string,
  updates: readonly RefUpdate[],
  written: Promise<unknown>,
): Promise<Result> {
  // Git starts meanwhile.
  const isWritten = written.then(
    () => ({}),
    (failure: unknown) => ({ failure }),
  )
  async function* input(): AsyncGenerator<Buffer> {
    if (!('failure' in (await isWritten))) yield bytesForGit(commands(updates))
  }
  let prepared = ''
  try {
    await readGit(
      ['update-ref', '-z', '--stdin'],
      { repository, settings, input: Readable.from(input()) },
      chunk => {
        prepared += chunk
      },
    )
    const notWritten = await isWritten
    if ('failure' in notWritten) return { outcome: undefined, ...notWritten }
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
