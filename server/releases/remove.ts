import { type Facts, originOf, recordEvent } from '@/server/events'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { ReleaseFor } from './load'
import { requireUnarchived } from './rules'
import { deleteRelease, lockRelease } from './store'
import { viewRelease } from './view'
import { aboutRelease, announceRelease, changeReleases } from './write'

/**
 * Deletes a release with its files. Its tag is kept.
 * @throws {DomainError} forbidden if the repository is archived; notFound if the release is deleted
 * concurrently.
 */
export async function removeRelease(ctx: ActingCtx, found: ReleaseFor<'write'>): Promise<void> {
  const { repository } = found
  requireUnarchived(found)
  await changeReleases(ctx, repository, found.release.tag_name, async trx => {
    const release = await lockRelease(trx, found.release.id)
    if (!release) throw deleted('release')
    const shown = await viewRelease({ ...ctx, db: trx }, found, release)
    await deleteRelease(trx, release.id)
    if (release.is_draft) {
      announceRelease(trx, repository, release)
      return
    }
    const { facts, ...owner } = aboutRelease(repository, release)
    await recordEvent(trx, originOf(ctx), {
      kind: 'release.deleted',
      ...owner,
      facts: { ...facts, shown: shown as unknown as Facts },
    })
  })
}
