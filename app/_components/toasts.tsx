'use client'
import type { ReactNode } from 'react'
import { Toaster } from 'sonner'
import { useTheme } from './primer'
import styles from './toasts.module.css'

/** Results of actions elsewhere on the page, told politely. */
export function Toasts(): ReactNode {
  const { resolvedColorMode } = useTheme()
  return (
    <Toaster
      theme={resolvedColorMode === 'night' || resolvedColorMode === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: styles.toast ?? '',
          title: styles.title ?? '',
          actionButton: styles.action ?? '',
        },
      }}
    />
  )
}
