'use client'
import type { ReactNode } from 'react'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ConflictListProps } from './conflict-list'

const loadBanner = async () => (await import('./conflict-list')).ConflictBanner

/**
 * Warning above a form that someone else changed the same fields. The code that shows the details is loaded
 * on demand, because conflicts are rare.
 */
export function SaveConflicts(props: ConflictListProps): ReactNode {
  const hasAny = props.conflicts.length > 0
  const ConflictBanner = useLazyComponent(loadBanner, hasAny)
  if (!hasAny) return null
  return (
    <div role="alert">
      {ConflictBanner ? (
        <ConflictBanner {...props} />
      ) : (
        <p>Someone else changed this while you were editing. Nothing was saved.</p>
      )}
    </div>
  )
}
