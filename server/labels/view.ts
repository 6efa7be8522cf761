import type { Config } from '@/server/kernel/config'
import type { LabelHolder } from './load'
import type { Label } from './schema'
import type { LabelRow } from './store'

/** Converts a label to its REST API form. */
export function viewLabel(
  { config }: { config: Pick<Config, 'baseUrl'> },
  { path }: Pick<LabelHolder, 'path'>,
  { id, name, color, description, is_exclusive, is_archived }: LabelRow,
): Label {
  const url = `${config.baseUrl}/api/v1${path}/${id}`
  return { id, name, exclusive: is_exclusive, is_archived, color, description, url }
}
