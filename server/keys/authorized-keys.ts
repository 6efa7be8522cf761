import type { ServiceCtx } from '@/server/kernel/ctx'
import { getVisibleAccount } from '@/server/users'
import { selectKeyTexts } from './store'

/**
 * Lists a person's keys that have not expired as lines for an authorized_keys file, without comments.
 * @throws {DomainError} notFound for a name that is unknown or not visible.
 */
export async function listAuthorizedKeys(ctx: ServiceCtx, username: string): Promise<string[]> {
  const owner = await getVisibleAccount(ctx, username)
  const texts = await selectKeyTexts(ctx.db, owner.id, ctx.clock.now())
  // Anybody may read this list, and a comment is most often an e-mail address.
  return texts.map(text => text.split(' ', 2).join(' '))
}
