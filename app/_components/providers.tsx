'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { makeQueryClient } from '@/app/_lib/query-client'
import { schemesOf, type Theme } from '@/app/_lib/theme'
import type { Viewer } from '@/app/_lib/viewer'
import { ThemeProvider } from './primer'
import { Toasts } from './toasts'
import { ViewerGuard } from './viewer-guard'

interface ProvidersProps {
  theme: Theme
  viewer: Viewer | undefined
  children: ReactNode
}

/** What every client component stands on. The colours themselves come from the attributes on `<html>`. */
export function Providers({ theme, viewer, children }: ProvidersProps): ReactNode {
  const [queryClient] = useState(makeQueryClient)
  const { day, night } = schemesOf(theme)
  return (
    <ThemeProvider contextOnly preventSSRMismatch colorMode={theme.mode} dayScheme={day} nightScheme={night}>
      <QueryClientProvider client={queryClient}>
        {children}
        <Toasts />
        <ViewerGuard viewer={viewer} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
