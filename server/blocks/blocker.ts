import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { getOrg, requireOwner } from '@/server/orgs'

/**
 * The organization whose blocks the caller is about to handle.
 * Throws notFound for one absent or hidden, forbidden unless the caller owns it.
 */
export async function getBlockingOrg(ctx: ServiceCtx, name: string): Promise<Account> {
  const found = await getOrg(ctx, name)
  requireOwner(found)
  return found.org
}
