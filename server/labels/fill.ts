import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { insertLabels } from './store'
import { getLabelTemplate } from './templates'

/**
 * Creates the labels of a template in a new repository.
 * @throws {DomainError} notFound for an unknown template.
 */
export async function fillLabels(
  trx: Transaction<Database>,
  repositoryId: number,
  template: string,
): Promise<void> {
  const labels = getLabelTemplate(template).map(({ exclusive, ...label }) => ({
    ...label,
    is_exclusive: exclusive,
  }))
  await insertLabels(trx, { repository_id: repositoryId, org_id: null }, labels)
}
