'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { makeQueryClient } from '@/app/_lib/query-client'
import { schemesOf, type Theme } from '@/app/_lib/theme'
import { ThemeProvider } from './primer'
import { Toasts } from './toasts'

/** What every client component stands on. The colours themselves come from the attributes on `<html>`. */
export function Providers({ theme, children }: { theme: Theme; children: ReactNode }): ReactNode {
  const [queryClient] = useState(makeQueryClient)
  const { day, night } = schemesOf(theme)
  return (
    <ThemeProvider contextOnly preventSSRMismatch colorMode={theme.mode} dayScheme={day} nightScheme={night}>
      <QueryClientProvider client={queryClient}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
