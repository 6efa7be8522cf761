import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { browseAccounts } from './browse'
import { BrowseAccountsInput, BrowsedAccountPage, FindInput, Found } from './schema'
import { find } from './search'

export const searchRouter = router({
  find: openProcedure
    .input(FindInput)
    .output(Found)
    .query(({ ctx, input }) => find(ctx, input)),

  browseAccounts: openProcedure
    .input(BrowseAccountsInput)
    .output(BrowsedAccountPage)
    .query(({ ctx, input }) => browseAccounts(ctx, input)),
})
