import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { type EnsuredTag, ensureTag, findRepositoryById, type RepositoryRow } from '@/server/repos'

/** A tag that existed when the repository's row was this one. */
export interface SeenTag extends EnsuredTag {
  seen: RepositoryRow
}

const maxTries = 20

/**
 * Creates a tag if it does not exist. A push can delete it before its release is published, and finds no release to
 * turn into a draft. So publish under the lock of the repository, and only if `isPushed` is false.
 * @throws {DomainError} as `ensureTag`.
 */
export async function ensureSeenTag(
  ctx: UserCtx,
  { id }: RepositoryRow,
  wanted: Parameters<typeof ensureTag>[2],
): Promise<SeenTag> {
  let isNew = false
  for (let tries = 0; tries < maxTries; tries++) {
    const seen = await findRepositoryById(ctx.db, id)
    if (!seen) throw deleted('repository')
    const tag = await ensureTag(ctx, seen, wanted)
    isNew ||= tag.isNew
    // Creating the tag changed the row.
    if (!tag.isNew) return { ...tag, isNew, seen }
  }
  throw changedTooOften()
}

/** Whether a push was recorded since the tag was seen. */
export function isPushed({ seen }: SeenTag, present: RepositoryRow): boolean {
  return seen.pushed_at?.getTime() !== present.pushed_at?.getTime() || seen.tag_count !== present.tag_count
}

/** Repeats a change that returns undefined if something else changed first. */
export async function untilDone<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const done = await attempt()
    if (done !== undefined) return done
  }
  throw changedTooOften()
}

const changedTooOften = () =>
  new Error('the repository changed each time a release was about to be published')
