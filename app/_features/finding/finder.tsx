'use client'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { isDialogOpen, isShortcut } from '@/app/_lib/shortcut'
import { toast } from '@/app/_lib/toast'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import styles from './finder.module.css'
import type { Seeker } from './palette'

interface FinderProps {
  user: Seeker | undefined
  /** What is on the button, drawn by the server: its icon would come to every page as a script. */
  children: ReactNode
}

/** The way to every place by its name: a button, `/`, and Ctrl or Command with K. `?` shows all such keys. */
export function Finder({ user, children }: FinderProps): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const hydrated = useHydrated()
  const isSignedIn = user !== undefined
  useEffect(() => {
    if (!isSignedIn) void import('@/app/_lib/recent-places').then(({ forgetOthers }) => forgetOthers())
  }, [isSignedIn])

  const press = useEffectEvent((event: KeyboardEvent): void => {
    const wanted = wantedBy(event)
    if (!wanted) return
    event.preventDefault()
    setOpen(wanted)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const Dialogs = useLazyComponent(
    async () => (await import('./dialogs')).Dialogs,
    open !== undefined,
    () => {
      setOpen(undefined)
      toast.error('This could not be loaded. Try again once the network is back.')
    },
  )
  return (
    <>
      <button
        type="button"
        className={styles.open}
        aria-label="Find"
        aria-haspopup="dialog"
        aria-keyshortcuts={hydrated ? '/ Control+K Meta+K' : undefined}
        onClick={() => setOpen('palette')}
      >
        {children}
      </button>
      {open && Dialogs ? <Dialogs open={open} user={user} onClose={() => setOpen(undefined)} /> : null}
    </>
  )
}

function wantedBy(event: KeyboardEvent): 'palette' | 'keys' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey !== metaKey && !altKey && !shiftKey && key.toLowerCase() === 'k') {
    return isDialogOpen() ? undefined : 'palette'
  }
  if (!isShortcut(event)) return undefined
  if (key === '/') return 'palette'
  return key === '?' ? 'keys' : undefined
}
