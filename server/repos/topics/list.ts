import { subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { getRepository } from '../load'
import type { RepoPath } from '../schema'
import { maxTopicLength, topicNameOf } from './names'
import type { SearchTopicsInput, Topic } from './schema'
import { selectTopics } from './store'

/**
 * Lists a page of the names of a repository's topics, in alphabetical order.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listTopics(
  ctx: ServiceCtx,
  { page, limit, ...path }: RepoPath & PageRequest,
): Promise<Page<string>> {
  const { topics } = (await getRepository(ctx, path)).repository
  const from = offsetOf({ page, limit })
  return { page, limit, total: topics.length, items: topics.slice(from, from + limit) }
}

/** Returns a page of the topics that contain the text, of those that repositories visible to the caller have. */
export async function searchTopics(ctx: ServiceCtx, { q, ...page }: SearchTopicsInput): Promise<Page<Topic>> {
  const text = topicNameOf(q)
  if (text.length > maxTopicLength) return { ...page, items: [], total: 0 }
  const { items, total } = await selectTopics(ctx.db, { text, subject: subjectOf(ctx.caller) }, page)
  return {
    ...page,
    total,
    items: items.map(({ id, name, repositories, created_at, updated_at }) => ({
      id,
      topic_name: name,
      repo_count: repositories,
      created: wireTime(created_at),
      updated: wireTime(updated_at),
    })),
  }
}
