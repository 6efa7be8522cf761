'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { hasUnshownToasts, whenTold } from '@/app/_lib/toast'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'

// Has to hear of a step back before the router does, on every page that a form may be opened from.
import '@/app/_lib/use-unsaved-warning'
import type { Viewer } from '@/app/_lib/viewer'
import { ViewerGuard } from './viewer-guard'

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
      <Toasts />
      <ViewerGuard viewer={viewer} />
    </QueryClientProvider>
  )
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) =>
          count < 2 && ['unreachable', 'unavailable'].includes(readFailure(error).kind),
      },
    },
  })
}

/** Where results of actions elsewhere on the page are told. */
function Toasts(): ReactNode {
  const isWanted = useSyncExternalStore(whenTold, hasUnshownToasts, () => false)
  const Toaster = useLazyComponent(async () => (await import('./toaster')).Toaster, isWanted)
  return Toaster ? <Toaster /> : null
}
