import type { ServiceCtx } from '@/server/kernel/ctx'
import { getRepository, getRepositoryById } from './find'
import type { Repository } from './schema'
import { viewRepository } from './view'

/** A repository by its owner's name and its own. Throws notFound, and moved after a rename of either. */
export async function showRepository(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<Repository> {
  return viewRepository(ctx, await getRepository(ctx, path))
}

/** The same by its id, which stays whatever it is called. Throws notFound. */
export async function showRepositoryById(ctx: ServiceCtx, id: number): Promise<Repository> {
  return viewRepository(ctx, await getRepositoryById(ctx, id))
}
