import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { adminProcedure } from '@/server/trpc/procedures'
import { getHealth, type ListedJob } from './get'
import { Health } from './schema'

/** Makes the procedures about a site that runs these background jobs. */
// The type is the router's own, which has no name.
export const createHealthRouter = (schedule: readonly ListedJob[]) =>
  router({
    get: adminProcedure
      .input(z.void())
      .output(Health)
      .query(({ ctx }) => getHealth(ctx, schedule)),
  })
