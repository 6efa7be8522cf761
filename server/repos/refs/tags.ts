import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { getRepository } from '../find'
import { requireReadCode } from '../policy'
import { readRef, readRefs } from './read'
import type { Tag } from './schema'
import { viewTag } from './view'

/**
 * A page of a repository's tags, newest first, of very many in the order of their names. Throws notFound, moved after a
 * rename, forbidden without the code.
 */
export async function listTags(
  ctx: ServiceCtx,
  input: PageRequest & { owner: string; repo: string; q?: string | undefined },
): Promise<Page<Tag>> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const { items, total } = await readRefs(ctx, found.repository, 'tags', input)
  const { page, limit } = input
  return { page, limit, total, items: items.map(viewTag) }
}

/** One tag. Throws as `listTags` does. */
export async function getTag(
  ctx: ServiceCtx,
  input: { owner: string; repo: string; tag: string },
): Promise<Tag> {
  const found = await getRepository(ctx, input)
  requireReadCode(found)
  const tag = await readRef(ctx, found.repository, 'tags', input.tag)
  if (!tag) throw notFound()
  return viewTag(tag)
}
