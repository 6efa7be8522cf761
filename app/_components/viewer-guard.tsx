'use client'
import { type ReactNode, useEffect } from 'react'
import { trpc } from '@/app/_lib/trpc'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import { useViewerChange, type Viewer } from '@/app/_lib/viewer'

/**
 * Tells somebody whose page the server does not serve any more why: their session has ended, or somebody else has
 * signed in in another tab. The page stays, with all that was typed, until they choose to leave it.
 */
export function ViewerGuard({ viewer }: { viewer: Viewer | undefined }): ReactNode {
  const change = useViewerChange()
  // Whoever comes back to a tab should not first find out by pressing a button.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') trpc.sessions.current.query().catch(() => undefined)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const ViewerDialog = useLazyComponent(
    async () => (await import('./viewer-dialog')).ViewerDialog,
    change !== undefined,
  )
  return change && ViewerDialog ? <ViewerDialog viewer={viewer} now={change.now} /> : null
}
