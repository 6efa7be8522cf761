import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { getRepository } from '../find'
import { requirePush } from '../policy'
import { countCollaborators, selectCollaborators } from './store'

/** A page of a repository's collaborators, for who may push. Throws notFound, moved after a rename, forbidden. */
export async function listCollaborators(
  ctx: UserCtx,
  input: PageRequest & { owner: string; repo: string },
): Promise<Page<User>> {
  const seen = await getRepository(ctx, input)
  requirePush(seen)
  const { id } = seen.repository
  const rows = await selectCollaborators(ctx.db, id, input)
  const page = await pageFromRows(input, rows, () => countCollaborators(ctx.db, id))
  return { ...page, items: page.items.map(row => viewUser(row, ctx.caller, ctx.config.baseUrl)) }
}
