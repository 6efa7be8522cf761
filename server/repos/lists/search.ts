import type { Db } from '@/db/client'
import { subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { directionOf, type Page } from '@/server/kernel/pagination'
import type { Repository } from '../schema'
import { maxTopics, topicNameOf } from '../topics/names'
import { viewRepositories } from '../view'
import type { SearchReposInput } from './schema'
import {
  findTerm,
  type RepositoryFilter,
  type SearchTerm,
  type Sort,
  type SortColumn,
  selectMatching,
} from './search-store'

// No owner name and repository name together are longer than this, so longer queries return nothing.
const maxTextLength = 150
const maxWords = 10

/**
 * Returns a page of the matching repositories that the caller can see, ordered by name unless `sort` says
 * otherwise.
 * @throws {DomainError} unprocessable for an unknown mode, sort or order.
 */
export async function searchRepositories(
  ctx: ServiceCtx,
  input: SearchReposInput,
): Promise<Page<Repository>> {
  checkMode(input.mode)
  const sort = sortOf(input)
  const filter = await filterOf(ctx, input)
  const { page, limit } = input
  if (!filter) return { page, limit, items: [], total: 0 }
  const found = await selectMatching(ctx.db, filter, sort, { page, limit })
  return { ...found, items: await viewRepositories(ctx, found.items) }
}

const modes = ['', 'source', 'fork', 'mirror', 'collaborative']

function checkMode(mode = ''): void {
  if (modes.includes(mode)) return
  throw unprocessable('Invalid search mode: use source, fork, mirror, or collaborative', { field: 'mode' })
}

// Returns undefined if nothing can match.
async function filterOf(ctx: ServiceCtx, input: SearchReposInput): Promise<RepositoryFilter | undefined> {
  const topics = input.topic ? topicsIn(input.q) : undefined
  const searchTerms = topics ? [] : termsIn(input.q)
  if (!searchTerms) return undefined
  if (input.mode === 'fork' || input.mode === 'mirror' || input.starredBy !== undefined) return undefined
  const subject = subjectOf(ctx.caller)
  // Only signed-in users can find out which teams exist.
  if (input.team_id !== undefined && subject.kind === 'anonymous') return undefined
  const isSelf = subject.kind === 'user' && subject.id === input.uid
  const onlyShared = input.mode === 'collaborative' && input.uid !== undefined
  // For other users, this would reveal what they work on.
  if (onlyShared && (!isSelf || input.exclusive)) return undefined
  const sharedWith = isSelf && !input.exclusive ? subject.id : undefined
  // If there is only one owner, matching the owner's name narrows nothing.
  const isOfOne = input.uid !== undefined && sharedWith === undefined
  return {
    subject,
    terms: await termFilter(ctx.db, searchTerms, isOfOne),
    inDescriptions: input.includeDesc ?? false,
    ownerId: onlyShared ? undefined : input.uid,
    notOwnerId: onlyShared ? input.uid : undefined,
    sharedWith,
    teamId: input.team_id,
    isPrivate: input.private === false ? false : input.is_private,
    isTemplate: input.template,
    isArchived: input.archived,
    topics,
  }
}

// Topics are separated by commas, and one of them is enough. Without any, the filter finds all repositories.
function topicsIn(q = ''): string[] | undefined {
  const names = q.split(',').map(topicNameOf).filter(Boolean).slice(0, maxTopics)
  return names.length > 0 ? names : undefined
}

/**
 * Splits a query into its distinct search words. Returns undefined if the query is too long to match any name
 * or has too many words.
 */
export function termsIn(q = ''): string[] | undefined {
  const text = q.trim()
  const searchTerms = [...new Set(text.split(/\s+/).filter(Boolean))]
  return text.length > maxTextLength || searchTerms.length > maxWords ? undefined : searchTerms
}

/**
 * Looks up the repository owners whose names match each search word. `isOfOne` means that all searched
 * repositories have the same owner, so only words with a slash, such as `owner/name`, need a lookup.
 */
export function termFilter(db: Db, searchTerms: readonly string[], isOfOne: boolean): Promise<SearchTerm[]> {
  const read = async (text: string): Promise<SearchTerm> =>
    isOfOne && !text.includes('/') ? { text, owners: [] } : await findTerm(db, text)
  return Promise.all(searchTerms.map(read))
}

// Creation times are never backdated, so IDs are in order of creation. Values that are not counted here, such
// as stars, are equal for all repositories.
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

function sortOf({ sort, order, priority_owner_id }: SearchReposInput): Sort {
  const direction = directionOf(order)
  if (!sort) return { by: 'name', direction: 'asc', ownerFirst: priority_owner_id }
  const by = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined
  if (!by)
    throw unprocessable('Invalid sort mode: use alpha, created, updated, size, or id', { field: 'sort' })
  return { by, direction, ownerFirst: priority_owner_id }
}
