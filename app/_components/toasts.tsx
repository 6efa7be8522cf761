'use client'
import { type ReactNode, useSyncExternalStore } from 'react'
import { hasUnshownToasts, whenTold } from '@/app/_lib/toast'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'

/** Where results of actions elsewhere on the page are told. */
export function Toasts(): ReactNode {
  const isWanted = useSyncExternalStore(whenTold, hasUnshownToasts, () => false)
  const Toaster = useLazyComponent(async () => (await import('./toaster')).Toaster, isWanted)
  return Toaster ? <Toaster /> : null
}
