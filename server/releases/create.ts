import { originOf, recordEvent } from '@/server/events'
import type { ActingCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { checkTagName, inRefQueue, type RepositoryRow } from '@/server/repos'
import type { ReleasesFor } from './load'
import { requireUnarchived, shortTitle, tagInUse } from './rules'
import type { CreateReleaseOption, Release } from './schema'
import { findReleaseByTag, insertRelease, type ReleaseRow } from './store'
import { ensureSeenTag, isPushed, type SeenTag, untilDone } from './tag'
import { viewRelease } from './view'
import { aboutRelease, announceRelease, changeReleases, publisherOf } from './write'

/**
 * Creates a release or a draft. If the tag of a published release does not exist, it is created before the
 * release. If the process crashes in between, only the tag exists, and repeating the call succeeds.
 * @throws {DomainError} forbidden if the repository is archived; unprocessable if it is empty or the tag name
 * is invalid; alreadyExists if the tag has a release; notFound if the target does not exist or the repository
 * is deleted concurrently; tooManyRequests if Git is overloaded.
 */
export async function createRelease(
  ctx: ActingCtx,
  found: ReleasesFor<'write'>,
  input: CreateReleaseOption,
): Promise<Release> {
  const { repository } = found
  requireUnarchived(found)
  if (repository.is_empty) throw unprocessable('repo is empty')
  checkTagName(input.tag_name)
  const release = await inRefQueue(repository.id, async () => {
    if (await findReleaseByTag(ctx.db, repository.id, input.tag_name)) throw tagInUse(input.tag_name)
    const target = input.target_commitish || repository.default_branch
    const message = input.tag_message ?? ''
    return await untilDone(async () => {
      const wanted = { name: input.tag_name, target, message }
      const tag = input.draft ? undefined : await ensureSeenTag(ctx, repository, wanted)
      return await insert(ctx, repository, { ...input, target }, tag)
    })
  })
  return await viewRelease(ctx, found, release)
}

function insert(
  ctx: ActingCtx,
  repository: RepositoryRow,
  input: CreateReleaseOption & { target: string },
  tag: SeenTag | undefined,
): Promise<ReleaseRow | undefined> {
  const now = ctx.clock.now()
  return changeReleases(ctx, repository, input.tag_name, async (trx, present) => {
    if (tag && isPushed(tag, present)) return undefined
    const release = await insertRelease(trx, {
      repository_id: repository.id,
      ...publisherOf(ctx),
      tag_name: input.tag_name,
      target: input.target,
      sha: tag?.commit ?? '',
      title: shortTitle(input.name ?? ''),
      body: input.body ?? '',
      tag_message: tag ? '' : (input.tag_message ?? ''),
      is_draft: input.draft ?? false,
      is_prerelease: input.prerelease ?? false,
      created_at: now,
      updated_at: now,
    })
    if (release.is_draft) announceRelease(trx, repository, release)
    else {
      const { facts, ...owner } = aboutRelease(repository, release)
      const activities = `created published ${release.is_prerelease ? 'prereleased' : 'released'}`
      await recordEvent(trx, originOf(ctx), {
        kind: 'release.published',
        ...owner,
        facts: { ...facts, activities },
      })
    }
    return release
  })
}
