import type { ServiceCtx } from '@/server/kernel/ctx'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { findRef, listRefs, type RefInfo, type RefKind, type RefsWanted } from '../git'
import type { RepositoryRow } from '../store'

type Repository = Pick<RepositoryRow, 'is_empty' | 'storage_key'>

/** A page of a repository's branches or tags, newest commit first; nothing was ever pushed to an empty one. */
export async function readRefs(
  { config }: Pick<ServiceCtx, 'config'>,
  { is_empty, storage_key }: Repository,
  kind: RefKind,
  { q, first, ...page }: PageRequest & Pick<RefsWanted, 'q' | 'first'>,
): Promise<{ items: RefInfo[]; total: number }> {
  if (is_empty) return { items: [], total: 0 }
  return await listRefs(config, storage_key, kind, { offset: offsetOf(page), limit: page.limit, q, first })
}

/** One branch or tag by its name. */
export async function readRef(
  { config }: Pick<ServiceCtx, 'config'>,
  { is_empty, storage_key }: Repository,
  kind: RefKind,
  name: string,
): Promise<RefInfo | undefined> {
  return is_empty ? undefined : await findRef(config, storage_key, kind, name)
}
