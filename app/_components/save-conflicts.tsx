'use client'
import type { ReactNode } from 'react'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ConflictListProps } from './conflict-list'

const loadBanner = async () => (await import('./conflict-list')).ConflictBanner

/**
 * Warns above a form that someone else changed the same fields. The details are loaded on demand, because
 * this is rare.
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
