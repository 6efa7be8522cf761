'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { makeQueryClient } from '@/app/_lib/query-client'
import { hasUnshownToasts, onToast } from '@/app/_lib/toast'
import { NavigationQueue } from '@/app/_lib/workarounds/navigation-queue'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
// Has to hear of a step back before the router does, on every page that a form may be opened from.
import '@/app/_lib/workarounds/use-unsaved-warning'
import { trpc } from '@/app/_lib/trpc'
import { useViewerChange, type Viewer } from '@/app/_lib/viewer'

interface ProvidersProps {
  viewer: Viewer | undefined
  children: ReactNode
}

/** What every client component stands on. The UI kit takes its colors from the attributes on `<html>`. */
export function Providers({ viewer, children }: ProvidersProps): ReactNode {
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <NavigationQueue />
      <Toasts />
      <ViewerGuard viewer={viewer} />
    </QueryClientProvider>
  )
}

// Before the page comes to life, as the first press already may open a dialog that takes the keyboard.
let page = ''
onFirstUse(
  () => {
    const first = document.activeElement
    import('@/app/_lib/workarounds/restore-focus').then(
      ({ restoreFocus }) => restoreFocus(first, page),
      () => undefined,
    )
  },
  () => {
    page = window.location.pathname
    return true
  },
)

/** Where results of actions elsewhere on the page are told. */
function Toasts(): ReactNode {
  const isWanted = useSyncExternalStore(onToast, hasUnshownToasts, () => false)
  const Toaster = useLazyComponent(async () => (await import('./toaster')).Toaster, isWanted)
  return Toaster ? <Toaster /> : null
}

/**
 * Tells somebody whose page the server does not serve anymore why: their session has ended, or somebody else has
 * signed in in another tab. The page stays, with all that was typed, until they choose to leave it.
 */
function ViewerGuard({ viewer }: { viewer: Viewer | undefined }): ReactNode {
  const change = useViewerChange()
  // Whoever comes back to a tab should not first find out by pressing a button.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') trpc.sessions.getCurrent.query().catch(() => undefined)
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
