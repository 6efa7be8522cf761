import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleteExpiredSessions } from './store'

/** Deletes every session whose time is over; gives how many. They have let nobody in since, but fill the table. */
export function sweepExpiredSessions(ctx: Pick<ServiceCtx, 'db' | 'clock'>): Promise<number> {
  return deleteExpiredSessions(ctx.db, ctx.clock.now())
}
