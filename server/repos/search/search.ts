import type { ServiceCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import type { Page } from '@/server/kernel/pagination'
import { askerOf } from '@/server/kernel/permissions/asker'
import type { Repository } from '../schema'
import { viewRepositories } from '../view'
import type { SearchReposInput } from './schema'
import { countMatching, type RepositoryFilter, type SortColumn, selectMatching } from './store'

/** No name is longer; a longer text finds nothing and costs nothing. */
const maxTextLength = 100

/** A page of the repositories this caller may see that fit, by name when not told. Throws unprocessable for an unknown order. */
export async function searchRepositories(
  ctx: ServiceCtx,
  input: SearchReposInput,
): Promise<Page<Repository>> {
  const sort = sortOf(input)
  const filter = filterOf(ctx, input)
  const { page, limit } = input
  if (!filter) return { page, limit, items: [], total: 0 }
  const rows = await selectMatching(ctx.db, filter, sort, input)
  // A first page that is not full is all there is.
  const complete = page === 1 && rows.length < limit
  const total = complete ? rows.length : await countMatching(ctx.db, filter)
  return { page, limit, total, items: await viewRepositories(ctx, rows) }
}

/** Undefined when nothing can fit. */
function filterOf(ctx: ServiceCtx, input: SearchReposInput): RepositoryFilter | undefined {
  const text = input.q?.trim().replaceAll('\0', '')
  if (text && (text.length > maxTextLength || input.topic)) return undefined
  if (input.mode === 'fork' || input.mode === 'mirror') return undefined
  const asker = askerOf(ctx.caller)
  const isSelf = asker.kind === 'user' && asker.id === input.uid
  return {
    asker,
    text,
    inDescriptions: input.includeDesc ?? false,
    ownerId: input.uid,
    // Of others it would tell what they work on.
    orGivenTo: isSelf && !input.exclusive ? asker.id : undefined,
    isPrivate: input.private === false ? false : input.is_private,
    isTemplate: input.template,
    isArchived: input.archived,
  }
}

// Nothing is dated back, so that ids are in the order of creation; what is not counted here is the same for all.
const sorts: Record<string, SortColumn> = {
  alpha: 'name',
  created: 'id',
  updated: 'update',
  size: 'size',
  git_size: 'size',
  lfs_size: 'id',
  stars: 'id',
  forks: 'id',
  id: 'id',
}

function sortOf({ sort, order }: SearchReposInput): { by: SortColumn; direction: 'asc' | 'desc' } {
  if (!sort) return { by: 'name', direction: 'asc' }
  const by = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined
  if (!by)
    throw unprocessable('Invalid sort mode: use alpha, created, updated, size or id', { field: 'sort' })
  if (order && order !== 'asc' && order !== 'desc') {
    throw unprocessable('Invalid sort order: use asc or desc', { field: 'order' })
  }
  return { by, direction: order === 'desc' ? 'desc' : 'asc' }
}
