import type { ServiceCtx } from '@/server/kernel/ctx'
import { getRepository } from './find'
import { mayAdminister, mayDelete, mayPush, mayReadCode } from './policy'
import { readRefs } from './refs/read'
import type { RepositoryHome } from './schema'
import { viewRepository } from './view'

/** What the page of a repository begins with. Throws notFound, and moved after a rename. */
export async function showHome(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<RepositoryHome> {
  const seen = await getRepository(ctx, path)
  const count = async (kind: 'heads' | 'tags') =>
    mayReadCode(seen) ? (await readRefs(ctx, seen.repository, kind, { page: 1, limit: 0 })).total : 0
  const [branches, tags] = await Promise.all([count('heads'), count('tags')])
  return {
    repository: viewRepository(ctx, seen),
    branches,
    tags,
    mayPush: mayPush(seen),
    mayAdminister: mayAdminister(seen),
    mayDelete: mayDelete(seen),
  }
}
