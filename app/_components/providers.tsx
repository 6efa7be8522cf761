'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { makeQueryClient } from '@/app/_lib/query-client'
// Has to hear of a step back before the router does, on every page that a form may be opened from.
import '@/app/_lib/use-unsaved-warning'
import type { Viewer } from '@/app/_lib/viewer'
import { Toasts } from './toasts'
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
