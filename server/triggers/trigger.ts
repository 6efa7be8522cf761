import type { Happening } from '@/server/actions'
import type { ClaimedEvent } from '@/server/events'
import type { RepositoryRow } from '@/server/repos'

/** What an event means to workflows. */
export interface Trigger extends Happening {
  /** What names the commit: an id, or a full name. */
  revision: string
  /** The commit that the branch had before; absent if it had none, or nobody asks. */
  before?: string
}

/** Returns what an event means to workflows; undefined if it starts none. */
export function triggerOf(
  event: ClaimedEvent,
  { default_branch }: Pick<RepositoryRow, 'default_branch'>,
): Trigger | undefined {
  const plain = { activities: [] }
  const head = `refs/heads/${default_branch}`
  switch (event.kind) {
    case 'git.pushed': {
      const { ref, before = '', after = '' } = event.facts
      if (!ref || isZero(after)) return undefined
      return { ...plain, name: 'push', ref, revision: after, ...(isZero(before) ? {} : { before }) }
    }
    case 'ref.created': {
      const { ref, sha } = event.facts
      return ref && sha ? { ...plain, name: 'create', ref, revision: sha } : undefined
    }
    case 'ref.deleted':
      // The branch or tag has no commit anymore.
      return { ...plain, name: 'delete', ref: head, revision: head }
    case 'release.published':
    case 'release.updated':
    case 'release.deleted': {
      const ref = `refs/tags/${event.facts.tag}`
      return { name: 'release', activities: activitiesOf(event), ref, revision: ref }
    }
    default:
      return undefined
  }
}

const isZero = (id: string): boolean => /^0*$/.test(id)

// GitHub's words for what happens to releases.
function activitiesOf({ kind, facts }: ClaimedEvent): string[] {
  if (kind === 'release.deleted') return ['deleted']
  const published = ['published', 'created', 'released', 'prereleased']
  if (kind === 'release.published') return published
  const publishes = 'publishes' in facts && facts.publishes
  return publishes ? [...published, 'edited'] : ['edited']
}
