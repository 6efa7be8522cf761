import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { type EnsuredTag, ensureTag, findRepositoryById, type RepositoryRow } from '@/server/repos'

/** A tag that exists, with the repository's row as it was just before the tag was found. */
export interface SeenTag extends EnsuredTag {
  seen: RepositoryRow
}

const maxTries = 20

/**
 * Creates a tag for a release if it does not exist. A push can delete the tag again before the release is
 * published. Therefore, lock the repository and publish only if `isPushed` returns false.
 * @throws {DomainError} as `ensureTag`.
 */
export async function ensureSeenTag(
  ctx: ActingCtx,
  { id }: RepositoryRow,
  wanted: Parameters<typeof ensureTag>[2],
): Promise<SeenTag> {
  let isNew = false
  for (let tries = 0; tries < maxTries; tries++) {
    const seen = await findRepositoryById(ctx.db, id)
    if (!seen) throw deleted('repository')
    const tag = await ensureTag(ctx, seen, wanted)
    isNew ||= tag.isNew
    // If the tag was created, the repository's row has changed and must be read again.
    if (!tag.isNew) return { ...tag, isNew, seen }
  }
  throw changedTooOften()
}

/** Returns whether a push was recorded after the tag was found. */
export function isPushed({ seen }: SeenTag, present: RepositoryRow): boolean {
  return seen.pushed_at?.getTime() !== present.pushed_at?.getTime() || seen.tag_count !== present.tag_count
}

/**
 * Calls a function repeatedly until it returns a value. The function must return undefined if a concurrent
 * change prevented its own.
 * @throws {Error} if concurrent changes prevent every attempt.
 */
export async function untilDone<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const done = await attempt()
    if (done !== undefined) return done
  }
  throw changedTooOften()
}

const changedTooOften = () =>
  new Error('concurrent changes to the repository prevented every attempt to publish the release')
