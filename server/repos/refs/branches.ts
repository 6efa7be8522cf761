import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { getRepository } from '../find'
import { requireReadCode } from '../policy'
import type { BranchTip } from '../schema'
import { listRefNames, tipOf } from '../storage'
import { readRef, readRefs } from './read'
import type { Branch, BranchNames } from './schema'
import { viewBranch, viewTip } from './view'

/**
 * A page of a repository's branches, newest commit first, of very many in the order of their names. Throws notFound, moved
 * after a rename, forbidden without the code.
 */
export async function listBranches(
  ctx: ServiceCtx,
  input: PageRequest & { owner: string; repo: string },
): Promise<Page<Branch>> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const { items, total } = await readRefs(ctx, found.repository, 'heads', input)
  const { page, limit } = input
  return { page, limit, total, items: items.map(branch => viewBranch(ctx, found, branch)) }
}

/**
 * A page of branches as lines of a list: the default branch first, then those with the newest commits; `q` leaves
 * those whose name has it. Throws as `listBranches` does.
 */
export async function browseBranches(
  ctx: ServiceCtx,
  input: PageRequest & { owner: string; repo: string; q?: string | undefined },
): Promise<Page<BranchTip>> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const { page, limit, q } = input
  const first = found.repository.default_branch
  const { items, total } = await readRefs(ctx, found.repository, 'heads', { page, limit, q, first })
  return { page, limit, total, items: items.map(ref => viewTip(tipOf(ref))) }
}

const maxNames = 1000

/** The names to choose a default branch from, at most 1,000: the one it is, then the newest. Throws as `listBranches` does. */
export async function listBranchNames(
  ctx: ServiceCtx,
  input: { owner: string; repo: string },
): Promise<BranchNames> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const { is_empty, storage_key, default_branch: first, branch_count: count } = found.repository
  if (is_empty) return { names: [], total: 0 }
  return await listRefNames(ctx, storage_key, 'heads', { offset: 0, limit: maxNames, first, count })
}

/** One branch. Throws as `listBranches` does. */
export async function getBranch(
  ctx: ServiceCtx,
  input: { owner: string; repo: string; branch: string },
): Promise<Branch> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const branch = await readRef(ctx, found.repository, 'heads', input.branch)
  if (!branch) throw notFound()
  return viewBranch(ctx, found, branch)
}
