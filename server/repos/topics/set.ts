import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, deleted, notFound, unprocessable } from '@/server/kernel/errors'
import { keepAccounts } from '@/server/users'
import type { RepositoryFor } from '../load'
import type { administration } from '../policy'
import { lockRepository, updateRepository } from '../store'
import { isTopicName, maxTopics, topicNameOf, topicRule } from './names'
import { deleteUnusedTopics, touchTopics } from './store'

type Administered = RepositoryFor<typeof administration>

/**
 * Replaces the topics of a repository, in archived repositories too. Names are converted to lower case.
 * @throws {DomainError} unprocessable for invalid names and for more than 25 topics; notFound if the repository
 * is deleted or transferred concurrently.
 */
export async function setTopics(ctx: UserCtx, found: Administered, texts: readonly string[]): Promise<void> {
  const names = [...new Set(texts.map(topicNameOf).filter(Boolean))]
  if (names.length > maxTopics) throw tooMany()
  requireNames(names)
  await change(ctx, found, () => names)
}

/**
 * Adds a topic to a repository, unless it has the topic.
 * @throws {DomainError} unprocessable for an invalid name and for a 26th topic; notFound as for `setTopics`.
 */
export async function addTopic(ctx: UserCtx, found: Administered, text: string): Promise<void> {
  const name = topicNameOf(text)
  requireNames([name])
  await change(ctx, found, topics => {
    if (topics.includes(name)) return topics
    if (topics.length >= maxTopics) throw tooMany()
    return [...topics, name]
  })
}

/**
 * Removes a topic from a repository.
 * @throws {DomainError} unprocessable for an invalid name; notFound if the repository does not have the topic,
 * and as for `setTopics`.
 */
export async function removeTopic(ctx: UserCtx, found: Administered, text: string): Promise<void> {
  const name = topicNameOf(text)
  requireNames([name])
  await change(ctx, found, topics => {
    if (!topics.includes(name)) throw notFound(`the repository does not have the topic "${name}"`)
    return topics.filter(topic => topic !== name)
  })
}

async function change(
  ctx: UserCtx,
  { repository: { id, owner_id } }: Administered,
  changed: (topics: readonly string[]) => readonly string[],
): Promise<void> {
  const now = ctx.clock.now()
  await withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [originOf(ctx).actorId])
    const current = await lockRepository(trx, id)
    if (current?.owner_id !== owner_id) throw deleted('repository')
    const topics = [...changed(current.topics)].sort()
    const added = topics.filter(name => !current.topics.includes(name))
    const removed = current.topics.filter(name => !topics.includes(name))
    if (added.length + removed.length === 0) return
    await touchTopics(trx, [...added, ...removed], now)
    const { name } = await updateRepository(trx, id, { topics, updated_at: now })
    await deleteUnusedTopics(trx, removed)
    await recordEvent(trx, originOf(ctx), {
      kind: 'repository.edited',
      ownerId: owner_id,
      repositoryId: id,
      facts: { repositoryId: id, name, formerName: name, changed: 'topics' },
    })
  })
}

function requireNames(names: readonly string[]): void {
  const refused = names.filter(name => !isTopicName(name))
  if (refused.length === 0) return
  throw unprocessable(`Topic names are invalid. ${topicRule}`, {
    field: 'topics',
    reason: { code: 'topicsInvalid', names: refused },
  })
}

const tooMany = (): DomainError =>
  unprocessable(`A repository can have at most ${maxTopics} topics.`, {
    field: 'topics',
    reason: { code: 'tooMany', what: 'topics', most: maxTopics },
  })
