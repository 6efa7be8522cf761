import type { Happening } from '@/server/actions'
import type { ClaimedEvent } from '@/server/events'
import { isZeroId } from '@/server/kernel/git/ref-names'
import type { RepositoryRow } from '@/server/repos'

/** Event that can start workflows, with the commit whose workflows are read. */
export interface Trigger extends Happening {
  /** Commit ID or full ref name of that commit. */
  revision: string
  /** Previous commit of the branch; absent if there is none, or for events other than pushes. */
  before?: string
}

/** Converts a recorded event to a trigger; undefined if it starts no workflows. */
export function triggerOf(
  event: ClaimedEvent,
  { default_branch }: Pick<RepositoryRow, 'default_branch'>,
): Trigger | undefined {
  const plain = { activities: [] }
  const head = `refs/heads/${default_branch}`
  switch (event.kind) {
    case 'git.pushed': {
      const { ref, before = '', after = '' } = event.facts
      if (!ref || isZeroId(after)) return undefined
      return { ...plain, name: 'push', ref, revision: after, ...(isZeroId(before) ? {} : { before }) }
    }
    case 'ref.created': {
      const { ref, sha } = event.facts
      return ref && sha ? { ...plain, name: 'create', ref, revision: sha } : undefined
    }
    case 'ref.deleted':
      // The deleted branch or tag has no commit, so the default branch is used.
      return { ...plain, name: 'delete', ref: head, revision: head }
    case 'release.published':
    case 'release.updated':
    case 'release.unpublished':
    case 'release.deleted': {
      const ref = `refs/tags/${event.facts.tag}`
      return { name: 'release', activities: activitiesOf(event), ref, revision: ref }
    }
    case 'run.created':
    case 'run.started':
    case 'run.completed':
      return { name: 'workflow_run', activities: [runActivities[event.kind]], ref: head, revision: head }
    default:
      return undefined
  }
}

const runActivities = {
  'run.created': 'requested',
  'run.started': 'in_progress',
  'run.completed': 'completed',
} as const

// Activity types of releases, as GitHub names them.
function activitiesOf({ kind, facts }: ClaimedEvent): string[] {
  if ('activities' in facts && facts.activities) return byPriority(facts.activities.split(' '))
  if (kind === 'release.deleted') return ['deleted']
  const published = ['published', 'created', 'released', 'prereleased']
  if (kind === 'release.published') return published
  const publishes = 'publishes' in facts && facts.publishes
  return publishes ? [...published, 'edited'] : ['edited']
}

// A workflow that names no types starts once, for the first of these.
const priority = ['published', 'released', 'edited', 'deleted', 'unpublished', 'prereleased', 'created']
const byPriority = (activities: string[]): string[] => priority.filter(each => activities.includes(each))
