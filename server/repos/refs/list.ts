import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { loadRepository, type RepositoryWithAccess } from '../load'
import { mayReadReleases, mayWriteReleases, readCode } from '../policy'
import type { BranchTip, RepoPath } from '../schema'
import {
  findRef,
  listRefNames,
  listRefs,
  type RefInfo,
  type RefKind,
  type RefsWanted,
  tipOf,
} from '../storage'
import { findFormerBranch } from './former-branch'
import type {
  Branch,
  BranchNames,
  BrowseBranchesInput,
  BrowseTagsInput,
  ListBranchesInput,
  Tag,
  TagTip,
} from './schema'
import { selectReleasedAmong } from './store'
import { viewBranch, viewTag, viewTagTip, viewTip } from './view'

type ListInput = PageRequest & RepoPath

/**
 * Lists a page of a repository's branches, newest commit first, or of those that match a search. If there are more than 20,000 branches, they
 * are ordered by name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listBranches(ctx: ServiceCtx, input: ListBranchesInput): Promise<Page<Branch>> {
  const found = await getReadable(ctx, input)
  return await pageOfRefs(ctx, found, 'heads', input, { q: input.q }, branch =>
    viewBranch(ctx, found, branch),
  )
}

/**
 * Lists a page of the branches that match a search, for display: the default branch first. If there are more
 * than 20,000 branches, they are ordered by name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function browseBranches(ctx: ServiceCtx, input: BrowseBranchesInput): Promise<Page<BranchTip>> {
  const found = await getReadable(ctx, input)
  const { q, sort } = input
  const wanted = { q, sort, first: found.repository.default_branch }
  return await pageOfRefs(ctx, found, 'heads', input, wanted, ref => viewTip(tipOf(ref)))
}

/**
 * Lists a page of a repository's tags, newest first. If there are more than 20,000 tags, they are ordered by
 * name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listTags(ctx: ServiceCtx, input: ListInput): Promise<Page<Tag>> {
  const found = await getReadable(ctx, input)
  return await pageOfRefs(ctx, found, 'tags', input, {}, tag => viewTag(ctx, found, tag))
}

/**
 * Lists a page of the tags that match a search, for display: the tag with exactly the searched name first. If
 * there are more than 20,000 tags, they are ordered by name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function browseTags(ctx: ServiceCtx, input: BrowseTagsInput): Promise<Page<TagTip>> {
  const found = await getReadable(ctx, input)
  const { q, sort } = input
  const page = await pageOfRefs(ctx, found, 'tags', input, { q, sort, first: q }, tag => tag)
  const released = await releasedAmong(ctx, found, page.items)
  return { ...page, items: page.items.map(tag => viewTagTip(tag, released.has(tag.name))) }
}

async function releasedAmong(
  { db }: ServiceCtx,
  found: RepositoryWithAccess,
  items: readonly RefInfo[],
): Promise<Set<string>> {
  if (items.length === 0 || !mayReadReleases(found)) return new Set()
  const tags = items.map(({ name }) => name)
  return await selectReleasedAmong(db, found.repository.id, { tags, withDrafts: mayWriteReleases(found) })
}

const maxNames = 1000

/**
 * Lists up to 1,000 branch names from which to select a default branch: the current one first, then by newest
 * commit.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listBranchNames(ctx: ServiceCtx, input: RepoPath): Promise<BranchNames> {
  const { repository } = await getReadable(ctx, input)
  const { is_empty, storage_key, default_branch: first, branch_count: count } = repository
  if (is_empty) return { names: [], total: 0 }
  return await listRefNames(ctx, storage_key, 'heads', { offset: 0, limit: maxNames, first, count })
}

/**
 * Gets a branch by its name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function getBranch(ctx: ServiceCtx, input: RepoPath & { branch: string }): Promise<Branch> {
  const found = await getReadable(ctx, input)
  return viewBranch(ctx, found, await getRef(ctx, found, 'heads', input.branch))
}

/**
 * Returns the present name of a branch that was renamed; null if a branch has this name now, or none had.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function getPresentName(
  ctx: ServiceCtx,
  input: RepoPath & { branch: string },
): Promise<string | null> {
  const found = await getReadable(ctx, input)
  const { is_empty, storage_key } = found.repository
  if (is_empty || (await findRef(ctx, storage_key, 'heads', input.branch))) return null
  return (await findFormerBranch(ctx, found, [input.branch]))?.to ?? null
}

/**
 * Gets a tag by its name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function getTag(ctx: ServiceCtx, input: RepoPath & { tag: string }): Promise<Tag> {
  const found = await getReadable(ctx, input)
  return viewTag(ctx, found, await getRef(ctx, found, 'tags', input.tag))
}

async function getReadable(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const found = await loadRepository(ctx, path, readCode)
  return found
}

// An empty repository has never been pushed to, so Git is not needed.
async function pageOfRefs<T>(
  ctx: ServiceCtx,
  { repository }: RepositoryWithAccess,
  kind: RefKind,
  { page, limit }: PageRequest,
  wanted: Pick<RefsWanted, 'q' | 'first' | 'sort'>,
  view: (ref: RefInfo) => T,
): Promise<Page<T>> {
  if (repository.is_empty) return { page, limit, total: 0, items: [] }
  const count = (kind === 'heads' ? repository.branch_count : repository.tag_count) ?? undefined
  const part = { offset: offsetOf({ page, limit }), limit, count, ...wanted }
  const { items, total } = await listRefs(ctx, repository.storage_key, kind, part)
  return { page, limit, total, items: items.map(view) }
}

async function getRef(
  ctx: ServiceCtx,
  { repository: { is_empty, storage_key } }: RepositoryWithAccess,
  kind: RefKind,
  name: string,
): Promise<RefInfo> {
  const ref = is_empty ? undefined : await findRef(ctx, storage_key, kind, name)
  if (!ref) throw notFound()
  return ref
}
