import { open } from 'node:fs/promises'
import { sql, type Transaction } from 'kysely'
import { readLines } from '@/db/backup/read-lines'
import type { Database } from '@/db/tables'

/** A repository that the snapshot of the database names. */
export interface NamedRepository {
  id: number
  /** Key of its directory. */
  key: string
  defaultBranch: string
}

/** An object that the snapshot of the database names, with its size and SHA-256 if the database has them. */
export interface NamedObject {
  key: string
  size: number | null
  sha256: string | null
}

/** What the snapshot of the database names. */
export interface Contents {
  repositories: NamedRepository[]
  objectCount: number
  /** IDs of recent events of pushes, which are in the snapshot. */
  recentPushes: Set<number>
}

/** Kinds of events that say which refs a push moved. */
export const pushKinds = ['git.pushed', 'ref.deleted'] as const

/**
 * Objects whose upload is complete, by key. Every table whose rows leave objects behind when they are deleted
 * is among them.
 */
export const namedObjects = sql<NamedObject>`
  select storage_key as key, size, encode(sha256, 'hex') as sha256 from attachments
  union all select storage_key, size, encode(sha256, 'hex') from artifacts where status = 'finished'
  union all select storage_key, null, null from workflow_tasks where storage_key is not null`

const pageSize = 5000

/** Reads what a snapshot of the database names, in the order of the keys, and writes the objects to a file. */
export async function readContents(
  trx: Transaction<Database>,
  objectsFile: string,
  since: Date,
): Promise<Contents> {
  const rows = await trx
    .selectFrom('repositories')
    .select(['id', 'storage_key as key', 'default_branch as defaultBranch'])
    .orderBy(sql`storage_key collate "C"`)
    .execute()
  const pushes = await trx
    .selectFrom('events')
    .select('id')
    .where('kind', 'in', pushKinds)
    .where('created_at', '>=', since)
    .execute()
  return {
    repositories: rows,
    objectCount: await writeObjects(trx, objectsFile),
    recentPushes: new Set(pushes.map(({ id }) => id)),
  }
}

async function writeObjects(trx: Transaction<Database>, path: string): Promise<number> {
  const file = await open(path, 'w', 0o600)
  let count = 0
  try {
    for (let last = ''; ; ) {
      const { rows } = await sql<NamedObject>`
        select * from (${namedObjects}) as named where key collate "C" > ${last}
        order by key collate "C" limit ${pageSize}`.execute(trx)
      await file.writeFile(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
      count += rows.length
      last = rows.at(-1)?.key ?? last
      if (rows.length < pageSize) return count
    }
  } finally {
    await file.close()
  }
}

/** Reads the objects that `readContents` wrote. */
export async function* readObjects(path: string): AsyncGenerator<NamedObject> {
  const file = await open(path, 'r')
  for await (const line of readLines(file.createReadStream())) yield JSON.parse(line)
}
