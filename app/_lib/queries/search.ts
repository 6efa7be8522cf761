import { queryOptions } from '@tanstack/react-query'
import type { BrowseAccountsInput } from '@/server/search/schema'
import type { ListChoice } from '../list-choice'
import type { accountList } from '../lists'
import { trpc } from '../trpc'

export const accountsQuery = (kind: BrowseAccountsInput['kind'], choice: ListChoice<typeof accountList>) =>
  queryOptions({
    queryKey: ['accounts', kind, choice],
    queryFn: () => trpc.search.browseAccounts.query({ kind, ...choice }),
  })
