'use client'
import { type ReactNode, useEffect } from 'react'
// biome-ignore lint/style/noRestrictedImports: this is what draws them
import { Toaster as Sonner, toast as show } from 'sonner'
import { showToasts } from '@/app/_lib/toast'
import styles from './toasts.module.css'

/** Results of actions elsewhere on the page, told politely. */
export function Toaster(): ReactNode {
  // After the effects of what it draws: from then on nothing that is told gets lost.
  useEffect(() => showToasts(({ kind, message, ...options }) => show[kind](message, options)), [])
  return (
    <Sonner
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
