import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { find } from './find'
import { FindInput, Found } from './schema'

export const findingRouter = router({
  find: openProcedure
    .input(FindInput)
    .output(Found)
    .query(({ ctx, input }) => find(ctx, input)),
})
