import type { Visibility } from '@/db/tables/users'
import type { Asker } from '@/server/kernel/permissions/decide'

/** Which organizations a list may hold; the same rule as `organizationAccess` has for one. */
export interface VisibleTo {
  visibilities: readonly Visibility[]
  /** Whose organizations are shown besides, whatever their visibility is. */
  memberId?: number
}

/** Undefined when nothing is hidden from this asker. */
export function visibleTo(asker: Asker): VisibleTo | undefined {
  if (asker.kind === 'anonymous' || asker.publicOnly) return { visibilities: ['public'] }
  if (asker.isAdmin) return undefined
  return { visibilities: asker.isRestricted ? ['public'] : ['public', 'limited'], memberId: asker.id }
}
