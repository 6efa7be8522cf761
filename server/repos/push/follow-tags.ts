import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
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
  const lines = (await runGit(args, { repository: directory, input })).split('\n')
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
  for (const { id, sha, commit } of [...releases].sort((a, b) => a.id - b.id)) {
    if (commit === sha) continue
    await trx
      .updateTable('releases')
      .set(commit ? { sha: commit } : { is_draft: true, sha: '', ...(sha ? { target: sha } : {}) })
      .set({ updated_at: now })
      .where('id', '=', id)
      .where('is_draft', '=', false)
      .execute()
    announce(trx, { kind: 'release.changed', releaseId: id, isDraft: false, ownerId, repositoryId })
  }
}
