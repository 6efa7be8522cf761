import type { Visibility } from '@/db/tables/users'
import type { Subject } from '@/server/access'

/** Which organizations a list may hold; the same rule as `organizationAccess` has for one. */
export interface VisibleTo {
  visibilities: readonly Visibility[]
  /** Whose organizations are shown besides, whatever their visibility is. */
  memberId?: number
}

/** Undefined when nothing is hidden from this subject. */
export function visibleTo(subject: Subject): VisibleTo | undefined {
  if (subject.kind === 'anonymous' || subject.publicOnly) return { visibilities: ['public'] }
  if (subject.isAdmin) return undefined
  return { visibilities: subject.isRestricted ? ['public'] : ['public', 'limited'], memberId: subject.id }
}
