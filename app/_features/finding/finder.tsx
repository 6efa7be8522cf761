'use client'
import { SearchIcon } from '@primer/octicons-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { forgetOthers } from '@/app/_lib/recent-places'
import { isDialogOpen, isShortcut } from '@/app/_lib/shortcut'
import { toast } from '@/app/_lib/toast'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import styles from './finder.module.css'
import type { Seeker } from './palette'

/** The way to every place by its name: a button, `/`, and Ctrl or Command with K. `?` shows all such keys. */
export function Finder({ user }: { user: Seeker | undefined }): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const hydrated = useHydrated()
  const close = (): void => setOpen(undefined)
  useEffect(forgetOthers, [])

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

  const fail = (): void => {
    close()
    toast.error('This could not be loaded. Try again once the network is back.')
  }
  const Palette = useLazyComponent(async () => (await import('./palette')).Palette, open === 'palette', fail)
  const KeySheet = useLazyComponent(async () => (await import('./key-sheet')).KeySheet, open === 'keys', fail)

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
        <SearchIcon />
        <span className={styles.word}>Find</span>
        <kbd className={styles.key}>/</kbd>
      </button>
      {open === 'palette' && Palette ? <Palette user={user} onClose={close} /> : null}
      {open === 'keys' && KeySheet ? <KeySheet onClose={close} /> : null}
    </>
  )
}

function wantedBy(event: KeyboardEvent): 'palette' | 'keys' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const isAloneWithK = ctrlKey !== metaKey && !altKey && !shiftKey && key.toLowerCase() === 'k'
  if (isAloneWithK) return isDialogOpen() ? undefined : 'palette'
  if (!isShortcut(event)) return undefined
  if (key === '/') return 'palette'
  return key === '?' ? 'keys' : undefined
}
