import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure } from '@/server/trpc/procedures'
import { listNotifications } from './list'
import { markRead } from './mark-read'
import { ListNotificationsInput, MarkReadInput, NotificationPage } from './schema'

/** Procedures for the pages. */
export const notificationsRouter = router({
  list: signedInProcedure
    .input(ListNotificationsInput)
    .output(NotificationPage)
    .query(({ ctx, input }) => listNotifications(ctx, input)),

  markRead: signedInProcedure
    .input(MarkReadInput)
    .output(z.int())
    .mutation(({ ctx, input }) => markRead(ctx, input)),
})
