import type { ServiceCtx } from '@/server/kernel/ctx'
import { durableConfig } from '@/server/kernel/git/environment'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { GitError, readGit } from '@/server/kernel/git/run'
import { repositoryPath } from '../storage/paths'
import type { RepositoryRow } from '../store'
import type { RefUpdate } from './ref-update'
import { requireRecordable } from './require-recordable'
import { settlePush } from './settle'
import { beginPush, noteWanted, type Outcome, type Push } from './spool'

// Others may be moving a ref at this moment; git would give up after a tenth of a second.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

/**
 * Creates, moves and deletes refs, all or none, each only if it is as `before` says, with zeros for one that does not
 * exist. It is recorded as a push of the caller's would be: noted before git is asked, so that whoever looks after what a
 * killed process left records it once.
 * @throws {GitError} when git refuses; what `requireRecordable` throws, too.
 */
export async function updateRefs(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  updates: readonly RefUpdate[],
): Promise<void> {
  await requireRecordable(ctx)
  const push = await beginPush(ctx, repository)
  try {
    const directory = repositoryPath(ctx.config, repository.storage_key)
    const { outcome, failure } = await run(directory, push, updates)
    await settlePush(ctx, push.note, outcome)
    if (failure) throw failure
  } finally {
    push.release()
  }
}

async function run(
  repository: string,
  push: Push,
  updates: readonly RefUpdate[],
): Promise<{ outcome: Outcome; failure?: unknown }> {
  await noteWanted(push, updates)
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
    // A git that ended by itself before all was prepared did nothing; what became of any other, the refs tell.
    const didNothing =
      failure instanceof GitError && failure.exitCode !== undefined && !prepared.includes('prepare: ok')
    return { outcome: didNothing ? undefined : { wanted: [...updates] }, failure }
  }
}

// A ref that leads to another one stands for itself.
const commands = (updates: readonly RefUpdate[]): string =>
  [
    'start',
    ...updates.flatMap(({ ref, before, after }) => ['option no-deref', `update ${ref}`, after, before]),
    'prepare',
    'commit',
  ]
    .map(word => `${word}\0`)
    .join('')
