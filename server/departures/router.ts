import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure } from '@/server/trpc/procedures'
import { DepartureEffects, TakeWayOutInput, WayOut } from './schema'
import { previewDeparture, takeWayOut } from './take'

export const departuresRouter = router({
  preview: signedInProcedure
    .input(WayOut)
    .output(DepartureEffects)
    .query(({ ctx, input }) => previewDeparture(ctx, input)),

  take: signedInProcedure
    .input(TakeWayOutInput)
    .output(z.void())
    .mutation(({ ctx, input }) => takeWayOut(ctx, input)),
})
