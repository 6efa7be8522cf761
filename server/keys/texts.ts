import type { ServiceCtx } from '@/server/kernel/ctx'
import { getVisibleAccount } from '@/server/users'
import { selectKeyTexts } from './store'

/** A person's keys as lines for an authorized_keys file. Throws notFound for a name unknown or not visible. */
export async function listKeyTexts(ctx: ServiceCtx, username: string): Promise<string[]> {
  const owner = await getVisibleAccount(ctx, username)
  return await selectKeyTexts(ctx.db, owner.id)
}
