import type { ServiceCtx } from '@/server/kernel/ctx'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { findRef, listRefs, type RefInfo, type RefKind, type RefsWanted } from '../storage'
import type { RepositoryRow } from '../store'

type Repository = Pick<RepositoryRow, 'is_empty' | 'storage_key' | 'branch_count' | 'tag_count'>

/** A page of a repository's branches or tags, as `listRefs` gives it; nothing was ever pushed to an empty one. */
export async function readRefs(
  ctx: ServiceCtx,
  { is_empty, storage_key, branch_count, tag_count }: Repository,
  kind: RefKind,
  { q, first, ...page }: PageRequest & Pick<RefsWanted, 'q' | 'first'>,
): Promise<{ items: RefInfo[]; total: number }> {
  if (is_empty) return { items: [], total: 0 }
  const count = (kind === 'heads' ? branch_count : tag_count) ?? undefined
  const wanted = { offset: offsetOf(page), limit: page.limit, q, first, count }
  return await listRefs(ctx, storage_key, kind, wanted)
}

/** One branch or tag by its name. */
export async function readRef(
  ctx: ServiceCtx,
  { is_empty, storage_key }: Repository,
  kind: RefKind,
  name: string,
): Promise<RefInfo | undefined> {
  return is_empty ? undefined : await findRef(ctx, storage_key, kind, name)
}
