'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { makeQueryClient } from '@/app/_lib/query-client'
import { hasUnshownToasts, onToast } from '@/app/_lib/toast'
import { NavigationQueue } from '@/app/_lib/workarounds/navigation-queue'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
// Imported here because its history listener must run before the router's, on every page from which a form
// can be opened.
import '@/app/_lib/workarounds/use-unsaved-warning'
import { trpc } from '@/app/_lib/trpc'
import { useViewerChange, type Viewer } from '@/app/_lib/viewer'

interface ProvidersProps {
  viewer: Viewer | undefined
  children: ReactNode
}

/** React context of all client components. The UI kit takes its colors from the attributes on `<html>`. */
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

// Registered before hydration, because even the first press can open a dialog that takes the focus.
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

/** Shows toasts about the results of actions. Its code is loaded with the first toast. */
function Toasts(): ReactNode {
  const isWanted = useSyncExternalStore(onToast, hasUnshownToasts, () => false)
  const Toaster = useLazyComponent(async () => (await import('./toaster')).Toaster, isWanted)
  return Toaster ? <Toaster /> : null
}

/**
 * Explains why the server no longer serves this page: the session has ended, or someone else has signed in
 * from another tab. The page remains, with everything typed, until the viewer leaves it.
 */
function ViewerGuard({ viewer }: { viewer: Viewer | undefined }): ReactNode {
  const change = useViewerChange()
  // People who return to a tab should learn of the change before they press a button.
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
