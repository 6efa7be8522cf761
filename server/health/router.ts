import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { adminProcedure } from '@/server/trpc/procedures'
import { getHealth, type ListedJob } from './get'
import { Health } from './schema'

/** Creates the procedures that report the health of a site with these background jobs. */
// The return type is inferred because the router's type has no name.
export const createHealthRouter = (schedule: readonly ListedJob[]) =>
  router({
    get: adminProcedure
      .input(z.void())
      .output(Health)
      .query(({ ctx }) => getHealth(ctx, schedule)),
  })
