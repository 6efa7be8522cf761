import { sql, type Transaction, type UpdateObject } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { announce } from '@/server/events'
import { runGit } from '@/server/kernel/git/run'
import type { RepositoryRow } from '../store'
import { isTag, type RefUpdate } from './ref-update'

/** A published release whose tag a push moved or deleted, with the commit of the tag; undefined where there is none now. */
interface MovedRelease {
  id: number
  sha: string
  commit: string | undefined
}

/** Looks up which published releases these updates concern, and where their tags lead now. */
export async function movedReleases(
  db: Db,
  { id }: RepositoryRow,
  directory: string,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<MovedRelease[]> {
  const names = updates.flatMap(({ ref }) => (isTag(ref) ? ref.slice(tagPrefix.length) : []))
  if (names.length === 0) return []
  const releases = await db
    .selectFrom('releases')
    .select(['id', 'tag_name', 'sha'])
    .where('repository_id', '=', id)
    .where('tag_name', '=', sql<string>`any (${names}::text[])`)
    .where('is_draft', '=', false)
    .execute()
  if (releases.length === 0) return []
  const input = releases.map(({ tag_name }) => `${tagPrefix}${tag_name}^{}\n`).join('')
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const lines = (await runGit(args, { repository: directory, input, maxBytes: Infinity, signal })).split('\n')
  return releases.map((release, index) => ({ ...release, commit: commitOf(lines[index]) }))
}

const tagPrefix = 'refs/tags/'
const commitOf = (line = ''): string | undefined => /^([0-9a-f]+) [a-z]+$/.exec(line)?.[1]

/**
 * Lets releases follow their tags: one whose tag was moved is of the new commit, and one whose tag was deleted is a draft again,
 * of which the same tag can be made.
 */
export async function followTags(
  trx: Transaction<Database>,
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  releases: readonly MovedRelease[],
  now: Date,
): Promise<void> {
  const moved = releases.filter(({ sha, commit }) => commit !== undefined && commit !== sha)
  const untagged = releases.filter(({ commit }) => commit === undefined)
  for (const { id, commit } of moved) await change([id], { sha: commit })
  if (untagged.length > 0) {
    const target = sql<string>`case when sha = '' then target else sha end`
    await change(
      untagged.map(({ id }) => id),
      { is_draft: true, sha: '', target },
    )
  }
  for (const { id: releaseId } of [...moved, ...untagged]) {
    announce(trx, { kind: 'release.changed', releaseId, isDraft: false, ownerId, repositoryId })
  }

  function change(ids: readonly number[], values: UpdateObject<Database, 'releases'>) {
    return trx
      .updateTable('releases')
      .set({ ...values, updated_at: now })
      .where('id', '=', anyOf(ids))
      .where('is_draft', '=', false)
      .execute()
  }
}
