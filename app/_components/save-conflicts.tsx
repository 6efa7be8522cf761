'use client'
import type { ReactNode } from 'react'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ConflictListProps } from './conflict-list'

const loadBanner = async () => (await import('./conflict-list')).ConflictBanner

/** Says above a form that someone else has changed the same fields. The details are loaded when needed, which is rare. */
export function SaveConflicts(props: ConflictListProps): ReactNode {
  const hasAny = props.conflicts.length > 0
  const ConflictBanner = useLazyComponent(loadBanner, hasAny)
  if (!hasAny) return null
  return (
    <div role="alert">
      {ConflictBanner ? (
        <ConflictBanner {...props} />
      ) : (
        <p>Somebody else has changed this in the meantime. Nothing was saved.</p>
      )}
    </div>
  )
}
