import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { getRepository } from '../find'
import { requirePush } from '../policy'
import type { Collaborator } from './schema'
import { countCollaborators, selectCollaborators } from './store'

type ListInput = PageRequest & { owner: string; repo: string }

/** A page of a repository's collaborators, for who may push. Throws notFound, moved after a rename, forbidden. */
export async function listCollaborators(ctx: UserCtx, input: ListInput): Promise<Page<User>> {
  const page = await listWithModes(ctx, input)
  return { ...page, items: page.items.map(({ user }) => user) }
}

/** The same with what each of them was given. */
export async function listWithModes(ctx: UserCtx, input: ListInput): Promise<Page<Collaborator>> {
  const seen = await getRepository(ctx, input)
  requirePush(seen)
  const { id } = seen.repository
  const rows = await selectCollaborators(ctx.db, id, input)
  const page = await pageFromRows(input, rows, () => countCollaborators(ctx.db, id))
  const items = page.items.map(({ mode, ...row }) => ({
    user: viewUser(row, ctx.caller, ctx.config.baseUrl),
    mode,
  }))
  return { ...page, items }
}
