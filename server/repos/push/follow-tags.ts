import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce } from '@/server/events'
import { findObjects } from '@/server/kernel/git/objects'
import type { RepositoryRow } from '../store'
import { isTag, type RefUpdate } from './ref-update'

/** A tag that a push created, moved or deleted. */
interface MovedTag {
  name: string
  /** The ID of the object that the tag points to now, usually a commit; null if the tag does not exist. */
  sha: string | null
}

/** Looks up the objects to which the tags among these ref updates currently point. */
export async function movedTags(
  directory: string,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<MovedTag[]> {
  // A release cannot have a tag whose name is not valid UTF-8.
  const refs = updates.flatMap(({ ref }) => (isTag(ref) && ref.isWellFormed() ? ref : []))
  const moved: MovedTag[] = []
  for (let at = 0; at < refs.length; at += portion) {
    const some = refs.slice(at, at + portion)
    const names = some.map(ref => `${ref}^{}`)
    const objects = await findObjects(directory, names, signal)
    for (const [index, ref] of some.entries())
      moved.push({ name: ref.slice(tagPrefix.length), sha: objects[index]?.sha ?? null })
  }
  return moved
}

const tagPrefix = 'refs/tags/'

// A push can create a million tags, and Git has a time limit per batch.
const portion = 20_000

/**
 * Updates published releases whose tags were pushed. If a tag was moved, its release gets the new commit. If
 * a tag was deleted, its release becomes a draft from which the same tag can be created again; if the tag is
 * pushed again, the release is published again. Drafts of people remain drafts.
 */
export async function followTags(
  trx: Transaction<Database>,
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  tags: readonly MovedTag[],
  now: Date,
): Promise<void> {
  if (tags.length === 0) return
  const { numAffectedRows: changed } = await sql`
    update releases r set
      sha = coalesce(t.sha, ''),
      is_draft = t.sha is null,
      lost_tag = t.sha is null,
      target = case when t.sha is null and r.sha <> '' then r.sha else r.target end,
      updated_at = ${now}
    from unnest(${tags.map(({ name }) => name)}::text[], ${tags.map(({ sha }) => sha)}::text[]) as t (name, sha)
    where r.repository_id = ${repositoryId} and r.tag_name = t.name and (not r.is_draft or (r.lost_tag and t.sha is not null))
      and r.sha is distinct from t.sha`.execute(trx)
  if (changed) announce(trx, { kind: 'release.changed', isDraft: false, ownerId, repositoryId })
}
