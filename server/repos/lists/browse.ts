import { type ListScope, scopeOfOwn, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { type Page, pageFromRows } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { type RepositoryWithAccess, withAccess } from '../load'
import { mayAdminister, mayDelete } from '../policy'
import type { RepositoryRow } from '../store'
import { scopeOfAccount } from './list'
import type { BrowsedRepository, BrowseReposInput } from './schema'
import { termFilter, termsIn } from './search'
import { type Narrowing, type RepositoryFilter, type Sort, selectMatching } from './search-store'
import { countInScope, type ScopeChoice, selectInScope } from './store'

/**
 * Returns a page of the repositories that the caller can see and that match the filters, each with the
 * caller's permissions on it. Search words match names and descriptions.
 * @throws {DomainError} unauthenticated for the scope `mine` if no user is signed in; notFound for an unknown
 * owner; moved after a rename of the owner.
 */
export async function browseRepositories(
  ctx: ServiceCtx,
  input: BrowseReposInput,
): Promise<Page<BrowsedRepository>> {
  const searchTerms = termsIn(input.q)
  if (!searchTerms) return { items: [], total: 0, page: input.page, limit: input.limit }
  const { scope } = input
  const sort = sorts[input.sort]
  const { scope: listScope, owner } = await scopeOf(ctx, scope)
  const terms = await termFilter(ctx.db, searchTerms, typeof scope === 'object')
  const topics = input.topic ? [input.topic] : undefined
  const narrowing = {
    terms,
    topics,
    inDescriptions: true,
    ...kinds[input.kind],
    ...visibilities[input.visibility],
  }
  const isNarrowed =
    searchTerms.length > 0 || topics !== undefined || input.kind !== 'all' || input.visibility !== 'all'
  const found = listScope
    ? await inScope(ctx, listScope, { sort, narrowing: isNarrowed ? narrowing : undefined }, input)
    : await amongAll(ctx, narrowing, sort, input)
  return { ...found, items: (await withAccess(ctx, found.items, owner ? [owner] : [])).map(viewBrowsed) }
}

const kinds: Record<BrowseReposInput['kind'], Partial<Narrowing>> = {
  all: {},
  sources: { isTemplate: false, isArchived: false },
  templates: { isTemplate: true },
  archived: { isArchived: true },
}

const visibilities: Record<BrowseReposInput['visibility'], Partial<Narrowing>> = {
  all: {},
  public: { isPrivate: false },
  private: { isPrivate: true },
}

const sorts: Record<BrowseReposInput['sort'], ScopeChoice['sort']> = {
  updated: { by: 'update', direction: 'desc' },
  name: { by: 'name', direction: 'asc' },
  newest: { by: 'creation', direction: 'desc' },
  size: { by: 'size', direction: 'desc' },
}

// Without a scope, all repositories are listed.
async function scopeOf(
  ctx: ServiceCtx,
  scope: BrowseReposInput['scope'],
): Promise<{ scope?: ListScope; owner?: Account }> {
  const subject = subjectOf(ctx.caller)
  if (scope === 'all') return {}
  if (scope === 'mine') {
    if (ctx.caller.kind !== 'user' || subject.kind !== 'user') throw unauthenticated()
    const { user } = ctx.caller
    return { scope: await scopeOfOwn(ctx.db, subject, user.visibility), owner: user }
  }
  return await scopeOfAccount(ctx, scope.owner)
}

async function inScope(
  ctx: ServiceCtx,
  listScope: ListScope,
  choice: ScopeChoice,
  input: BrowseReposInput,
): Promise<Page<RepositoryRow>> {
  const rows = await selectInScope(ctx.db, listScope, input, choice)
  return await pageFromRows(input, rows, () => countInScope(ctx.db, listScope, choice))
}

async function amongAll(
  ctx: ServiceCtx,
  narrowing: Narrowing,
  sort: Sort,
  { page, limit }: BrowseReposInput,
): Promise<Page<RepositoryRow>> {
  // Creation times are never backdated, so IDs, which are indexed, are in order of creation.
  const order: Sort = sort.by === 'creation' ? { ...sort, by: 'id' } : sort
  const filter: RepositoryFilter = { ...narrowing, subject: subjectOf(ctx.caller) }
  return await selectMatching(ctx.db, filter, order, { page, limit })
}

function viewBrowsed(found: RepositoryWithAccess): BrowsedRepository {
  const { repository, owner } = found
  return {
    id: repository.id,
    owner: owner.name,
    name: repository.name,
    full_name: `${owner.name}/${repository.name}`,
    description: repository.description,
    topics: repository.topics,
    private: repository.is_private,
    internal: !repository.is_private && owner.visibility === 'private',
    template: repository.is_template,
    archived: repository.archived_at !== null,
    empty: repository.is_empty,
    default_branch: repository.default_branch,
    size: repository.size_kib,
    created_at: wireTime(repository.created_at),
    updated_at: wireTime(repository.updated_at),
    pushed_at: repository.pushed_at && wireTime(repository.pushed_at),
    may_administer: mayAdminister(found),
    may_delete: mayDelete(found),
  }
}
