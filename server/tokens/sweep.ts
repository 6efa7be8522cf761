import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleteTokensExpiredBefore } from './store'

/** For so long its owner sees in the list why a program was let in no more. */
const shownDays = 90

/** Deletes every token that stopped working long ago; gives how many. */
export function sweepExpiredTokens(ctx: Pick<ServiceCtx, 'db' | 'clock'>): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - shownDays * 24 * 60 * 60 * 1000)
  return deleteTokensExpiredBefore(ctx.db, before)
}
