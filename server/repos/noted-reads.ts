import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RepositoryWithAccess } from './load'

/** What is known about a response that is kept for other visitors. */
export interface NotedReads {
  /** The context in which it is made. */
  ctx: ServiceCtx
  /** Returns the IDs of the repositories that it shows. */
  repositories(): Promise<Set<number>>
  /** Returns whether it has everything, and lacks nothing that is found later. */
  isComplete(): boolean
}

/** Notes what a response to a visitor reads, so that it can be kept until something of that changes. */
export function noteReads(ctx: ServiceCtx): NotedReads {
  const pageReads = new Map<string, Promise<unknown>>()
  let isComplete = true
  const noteIncomplete = (): void => {
    isComplete = false
  }
  return {
    ctx: { ...ctx, pageReads, noteIncomplete },
    repositories: () => repositoriesIn(pageReads),
    isComplete: () => isComplete,
  }
}

/** Returns the IDs of the repositories among what was read. */
export async function repositoriesIn(reads: ReadonlyMap<string, Promise<unknown>>): Promise<Set<number>> {
  const found = await Promise.allSettled([...reads.values()] as Promise<RepositoryWithAccess>[])
  return new Set(found.flatMap(one => (one.status === 'fulfilled' ? one.value.repository.id : [])))
}
