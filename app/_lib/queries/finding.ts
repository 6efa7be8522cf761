import { queryOptions } from '@tanstack/react-query'
import type { BrowseAccountsInput } from '@/server/finding/schema'
import type { ListChoice } from '../list-choice'
import type { accountList } from '../lists'
import { trpc } from '../trpc'

export const accountsQuery = (kind: BrowseAccountsInput['kind'], choice: ListChoice<typeof accountList>) =>
  queryOptions({
    queryKey: ['accounts', kind, choice],
    queryFn: () => trpc.finding.browseAccounts.query({ kind, ...choice }),
  })
