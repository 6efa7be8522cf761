import { type RawBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { SealPurpose } from '@/server/kernel/seal'
import type { Sample } from './find-missing'

const sampleSize = 20

/** Sample of repositories. Their keys are random, so the first ones are representative. */
export const repositorySample = sampleOf(sql`select storage_key from repositories`)

/** Sample of objects whose upload is complete. */
export const objectSample = sampleOf(
  sql`select storage_key from attachments
    union all select storage_key from artifacts where status = 'finished'
    union all select storage_key from workflow_tasks where storage_key is not null`,
)

function sampleOf(everything: RawBuilder<unknown>): Sample {
  const keysOf = async (db: Db, which: RawBuilder<unknown>): Promise<string[]> => {
    const { rows } = await sql<{ storage_key: string }>`
      select storage_key from (${everything}) as everything ${which}`.execute(db)
    return rows.map(row => row.storage_key)
  }
  return {
    select: db => keysOf(db, sql`order by storage_key limit ${sampleSize}`),
    keepKnown: (db, keys) => keysOf(db, sql`where storage_key = any(${[...keys]}) order by storage_key`),
  }
}

/**
 * Returns a sample of values encrypted with the site's key; the same ones every time if nothing has changed.
 */
export async function sampleSealed(db: Db): Promise<{ purpose: SealPurpose; sealed: Buffer }[]> {
  const { rows } = await sql<{ purpose: SealPurpose; sealed: Buffer }>`
    select * from (
      select 'ssh.hostKey' as purpose, sealed_private_key as sealed from ssh_host_keys where length(sealed_private_key) > 0
      union all select 'hook.url', url_sealed from hooks
      union all select 'workflow.secret', value_sealed from workflow_variables where is_secret) as everything
    order by sealed limit ${sampleSize}`.execute(db)
  return rows
}
