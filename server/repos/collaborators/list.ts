import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { getRepository, loadRepository, type RepositoryWithAccess } from '../find'
import { mayWriteCode, writeCode } from '../policy'
import type { Collaborator } from './schema'
import { countCollaborators, selectCollaborators } from './store'

type ListInput = PageRequest & { owner: string; repo: string }

/**
 * A page of a repository's collaborators, for whoever may see it; private people are shown to those who work on it with
 * them. Throws notFound, moved after a rename.
 */
export async function listCollaborators(ctx: UserCtx, input: ListInput): Promise<Page<User>> {
  const page = await list(ctx, await getRepository(ctx, input), input)
  return { ...page, items: page.items.map(({ user }) => user) }
}

/** A page of a repository's collaborators with what each was given, for who may push. Throws alike, and forbidden. */
export async function listWithModes(ctx: UserCtx, input: ListInput): Promise<Page<Collaborator>> {
  return await list(ctx, await loadRepository(ctx, input, writeCode), input)
}

async function list(
  ctx: UserCtx,
  found: RepositoryWithAccess,
  input: PageRequest,
): Promise<Page<Collaborator>> {
  const of = {
    repositoryId: found.repository.id,
    openTo: mayWriteCode(found) ? undefined : ctx.caller.user.id,
  }
  const rows = await selectCollaborators(ctx.db, of, input)
  const page = await pageFromRows(input, rows, () => countCollaborators(ctx.db, of))
  const items = page.items.map(({ mode, ...row }) => ({
    user: viewUser(ctx, row),
    mode,
  }))
  return { ...page, items }
}
