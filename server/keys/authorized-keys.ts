import type { ServiceCtx } from '@/server/kernel/ctx'
import { getVisibleAccount } from '@/server/users'
import { selectKeyTexts } from './store'

/** A person's keys as lines for an authorized_keys file. Throws notFound for a name unknown or not visible. */
export async function listAuthorizedKeys(ctx: ServiceCtx, username: string): Promise<string[]> {
  const owner = await getVisibleAccount(ctx, username)
  const texts = await selectKeyTexts(ctx.db, owner.id)
  // Anybody may read this list, and a comment is most often an e-mail address.
  return texts.map(text => text.split(' ', 2).join(' '))
}
