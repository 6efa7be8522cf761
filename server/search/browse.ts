import { subjectOf, visibleOrganizations, visiblePeople } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type Page, pageFromRows } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { BrowseAccountsInput, BrowsedAccount } from './schema'
import { type AccountFilter, countAccounts, selectAccounts } from './store'
import { termsIn } from './terms'

/**
 * Returns a page of the people or organizations visible to the caller whose username and full name together
 * contain every word.
 */
export async function browseAccounts(
  { db, caller }: Pick<ServiceCtx, 'db' | 'caller'>,
  input: BrowseAccountsInput,
): Promise<Page<BrowsedAccount>> {
  const subject = subjectOf(caller)
  const filter: AccountFilter = {
    kind: input.kind,
    terms: termsIn(input.q),
    visible: input.kind === 'person' ? visiblePeople(subject) : visibleOrganizations(subject),
  }
  const rows = await selectAccounts(db, filter, input.sort, input)
  const page = await pageFromRows(input, rows, () => countAccounts(db, filter))
  return {
    ...page,
    items: rows.map(({ total: _, created_at, ...row }) => ({ ...row, created_at: wireTime(created_at) })),
  }
}
