import type { ServiceCtx } from '@/server/kernel/ctx'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { loadRepository, readCode, viewRepository } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { combine } from './combine'
import { requireCommit } from './load'
import type {
  CombinedStatus,
  CommitStates,
  CommitStatus,
  StatesInput,
  StatusFilter,
  StatusState,
} from './schema'
import { selectByNumber, selectLatest, selectStatuses } from './store'
import { viewStatuses } from './view'

const oldestFirst = new Set(['oldest', 'leastupdate', 'leastindex'])

/**
 * Lists a page of the statuses of a commit.
 * @throws {DomainError} notFound, also for an unknown commit; moved after a rename; forbidden without read access
 * to the code; tooManyRequests if Git is overloaded.
 */
export async function listStatuses(
  ctx: ServiceCtx,
  { ref, sort = '', state, page, limit, ...path }: RepoPath & StatusFilter & { ref: string },
): Promise<Page<CommitStatus>> {
  const found = await loadRepository(ctx, path, readCode)
  const sha = await requireCommit(ctx, found, ref)
  const order = oldestFirst.has(sort) ? 'asc' : 'desc'
  const of = { repositoryId: found.repository.id, sha, state }
  const { items, total } = await selectStatuses(ctx.db, of, { page, limit, order })
  return { page, limit, total, items: await viewStatuses(ctx, found, items) }
}

/**
 * Returns the combined state of a commit, and a page of the newest status of each context.
 * @throws {DomainError} as `listStatuses`
 */
export async function getCombinedStatus(
  ctx: ServiceCtx,
  { ref, ...input }: RepoPath & PageRequest & { ref: string },
): Promise<CombinedStatus> {
  const found = await loadRepository(ctx, input, readCode)
  const { repository, owner } = found
  const sha = await requireCommit(ctx, found, ref)
  const latest = await selectLatest(ctx.db, repository.id, [sha])
  const numbers = latest.map(({ number }) => number)
  const shown = numbers.slice(offsetOf(input), offsetOf(input) + input.limit)
  const rows = shown.length > 0 ? await selectByNumber(ctx.db, repository.id, sha, shown) : []
  const api = `${ctx.config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}`
  return {
    state: combine(latest.map(({ state }) => state)),
    sha,
    total_count: latest.length,
    statuses: await viewStatuses(ctx, found, rows),
    repository: viewRepository(ctx, found),
    commit_url: `${api}/git/commits/${sha}`,
    url: `${api}/commits/${sha}/status`,
  }
}

/**
 * Returns the combined states of commits. Leaves out commits without a status, and those that do not exist.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listStates(ctx: ServiceCtx, { shas, ...path }: StatesInput): Promise<CommitStates> {
  const { repository } = await loadRepository(ctx, path, readCode)
  const latest = shas.length > 0 ? await selectLatest(ctx.db, repository.id, [...new Set(shas)]) : []
  const bySha = new Map<string, StatusState[]>()
  for (const { sha, state } of latest) {
    const states = bySha.get(sha)
    if (states) states.push(state)
    else bySha.set(sha, [state])
  }
  return Object.fromEntries([...bySha].map(([sha, states]) => [sha, combine(states)]))
}
