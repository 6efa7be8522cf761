import { router } from '@/server/trpc/init'
import { adminProcedure } from '@/server/trpc/procedures'
import { listEvents } from './list'
import { AuditEventPage, ListEventsInput } from './schema'

export const auditRouter = router({
  list: adminProcedure
    .input(ListEventsInput)
    .output(AuditEventPage)
    .query(({ ctx, input }) => listEvents(ctx, input)),
})
