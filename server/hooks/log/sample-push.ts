import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import { isRefName } from '@/server/kernel/git/ref-name'
import { oneRef } from '@/server/kernel/git/refs'
import { withGitSlot } from '@/server/kernel/git/slots'
import { repositoryPath } from '@/server/repos/storage'
import { selectAccounts } from '@/server/users'
import type { HookScopeFor } from '../load'
import { payloadOf } from '../payload'
import type { HookPayload } from '../payload/types'

/**
 * Builds the payload of a sample push, whose `before` and `after` are both the newest commit of the requested
 * ref. Uses the repository that the webhook belongs to. For webhooks of an account, an organization, or the
 * site, uses the most recently changed repository with commits; undefined if there is none.
 * @throws {DomainError} notFound if the webhook's repository is empty, or if the repository has no such ref.
 */
export async function samplePush(
  ctx: UserCtx,
  scope: HookScopeFor,
  wanted: string | undefined,
): Promise<HookPayload | undefined> {
  const repository = await newestRepository(ctx, scope)
  if (!repository) return undefined
  const { id, name, storage_key: storageKey, owner_id: ownerId, default_branch: defaultBranch } = repository
  if (repository.is_empty) throw notFound('repository is empty')
  const tip = await findTip(ctx, storageKey, wanted || defaultBranch)
  if (!tip) {
    const owner = (await selectAccounts(ctx.db, [ownerId])).get(ownerId)
    throw notFound(
      `${owner?.name}/${name} has no branch, tag, or commit "${wanted || defaultBranch}".` +
        (wanted ? ` Omit ref to use its default branch, ${defaultBranch}.` : ' Specify one in ref.'),
    )
  }
  const nobody = { name: '', email: '' }
  const commit = { message: '', author: nobody, committer: nobody, date: ctx.clock.now().toISOString() }
  return await payloadOf(ctx, {
    id: 0,
    kind: 'git.pushed',
    actorId: ctx.caller.user.id,
    ownerId,
    repositoryId: id,
    createdAt: ctx.clock.now(),
    facts: {
      repositoryId: id,
      ref: tip.ref,
      before: tip.id,
      after: tip.id,
      commits: 1,
      forced: false,
      // The payload builder reads the commit itself from Git.
      newest: [{ sha: tip.id, ...commit }],
    },
  })
}

async function newestRepository({ db }: UserCtx, scope: HookScopeFor) {
  const repositories = db
    .selectFrom('repositories')
    .select(['id', 'name', 'owner_id', 'storage_key', 'default_branch', 'is_empty'])
  if (scope.kind === 'repository') {
    return await repositories.where('id', '=', scope.repositoryId).executeTakeFirst()
  }
  const withCommits = repositories.where('is_empty', '=', false)
  const candidates = scope.kind === 'site' ? withCommits : withCommits.where('owner_id', '=', scope.ownerId)
  return await candidates.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

async function findTip(
  ctx: UserCtx,
  storageKey: string,
  wanted: string,
): Promise<{ ref: string; id: string } | undefined> {
  const repository = repositoryPath(ctx.config, storageKey)
  return await withGitSlot(ctx, async () => {
    const isFull = wanted.startsWith('refs/')
    if (isRefName(wanted)) {
      for (const ref of isFull ? [wanted] : [`refs/heads/${wanted}`, `refs/tags/${wanted}`]) {
        const found = await oneRef(repository, ref)
        if (found) return found
      }
    }
    if (!/^[0-9a-f]{7,64}$/.test(wanted)) return undefined
    const [commit] = await findObjects(repository, [`${wanted}^{commit}`])
    return commit && { ref: wanted, id: commit.sha }
  })
}
