import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { getRepository } from '../find'
import { requireReadCode } from '../policy'
import { readRef, readRefs } from './read'
import type { Branch } from './schema'
import { viewBranch } from './view'

/** A page of a repository's branches, by name. Throws notFound, moved after a rename, forbidden without the code. */
export async function listBranches(
  ctx: ServiceCtx,
  input: PageRequest & { owner: string; repo: string },
): Promise<Page<Branch>> {
  const seen = await getRepository(ctx, input)
  requireReadCode(seen)
  const { items, total } = await readRefs(ctx, seen.repository, 'heads', input)
  const { page, limit } = input
  return { page, limit, total, items: items.map(branch => viewBranch(ctx, seen, branch)) }
}

/** One branch. Throws as `listBranches` does. */
export async function getBranch(
  ctx: ServiceCtx,
  input: { owner: string; repo: string; branch: string },
): Promise<Branch> {
  const seen = await getRepository(ctx, input)
  requireReadCode(seen)
  const branch = await readRef(ctx, seen.repository, 'heads', input.branch)
  if (!branch) throw notFound()
  return viewBranch(ctx, seen, branch)
}
