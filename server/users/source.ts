import type { Db } from '@/db/client'
import type { LoginType } from '@/db/tables/users'
import { unprocessable } from '@/server/kernel/errors'
import { selectSourceType } from './store'

/** The columns that say how a person signs in. Source 0 is this database. Throws unprocessable for an unknown source. */
export async function loginSource(
  db: Db,
  sourceId: number,
): Promise<{ login_source_id: number | null; login_type: LoginType }> {
  if (sourceId === 0) return { login_source_id: null, login_type: 'local' }
  const type = await selectSourceType(db, sourceId)
  if (!type) throw unprocessable(`login source does not exist [id: ${sourceId}]`, { field: 'source_id' })
  return { login_source_id: sourceId, login_type: type }
}
