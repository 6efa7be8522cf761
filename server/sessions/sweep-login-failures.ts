import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleteOldLoginFailures } from './store'

/** Deletes the counts of failed sign-ins that no longer hold anybody back; gives how many. */
export function sweepLoginFailures(ctx: Pick<ServiceCtx, 'db' | 'clock'>): Promise<number> {
  return deleteOldLoginFailures(ctx.db, ctx.clock.now())
}
