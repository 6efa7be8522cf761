import type { ServiceCtx } from '@/server/kernel/ctx'
import { getVisibleAccount } from '@/server/users'
import { selectKeyTexts } from './store'

/**
 * Lists a person's unexpired keys as lines of an authorized_keys file, without comments.
 * @throws {DomainError} notFound if the name is unknown or not visible to the caller.
 */
export async function listAuthorizedKeys(ctx: ServiceCtx, username: string): Promise<string[]> {
  const owner = await getVisibleAccount(ctx, username)
  const texts = await selectKeyTexts(ctx.db, owner.id, ctx.clock.now())
  // Anyone can read this list, and a comment is usually an email address.
  return texts.map(text => text.split(' ', 2).join(' '))
}
