'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { areShortcutsOff, isDialogOpen, isShortcut } from '@/app/_lib/shortcut'
import { toast } from '@/app/_lib/toast'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import styles from './search-launcher.module.css'
import type { Seeker } from './use-results'

interface SearchLauncherProps {
  user: Seeker | undefined
  /** Contents of the button, rendered by the server so that the icon does not add to every page's script. */
  children: ReactNode
}

/** Opens search with a button, `/`, Ctrl K, or Command K. `?` opens the list of keyboard shortcuts. */
export function SearchLauncher({ user, children }: SearchLauncherProps): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const hydrated = useHydrated()
  const isSignedIn = user !== undefined
  useEffect(() => {
    if (!isSignedIn) void import('@/app/_lib/recent-pages').then(({ forgetOthers }) => forgetOthers())
  }, [isSignedIn])

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const wanted = wantedBy(event)
      if (!wanted) return
      event.preventDefault()
      setOpen(wanted)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  const typed = useRef<string[]>([])
  const close = (): void => {
    typed.current = []
    setOpen(undefined)
  }
  const Dialogs = useLazyComponent(
    async () => (await import('./palette')).Dialogs,
    open !== undefined,
    error => {
      close()
      toast.error(readFailure(error).message)
    },
  )
  const isComing = open !== undefined && !Dialogs
  // Keys pressed until the dialog has loaded are meant for it and must do nothing on the page.
  useEffect(() => {
    if (!isComing) return
    const collect = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key !== 'Escape') {
        typed.current.push(event.key)
        return
      }
      typed.current = []
      setOpen(undefined)
    }
    document.addEventListener('keydown', collect, true)
    return () => document.removeEventListener('keydown', collect, true)
  }, [isComing])

  return (
    <>
      <button
        type="button"
        className={styles.open}
        data-pending={isComing || undefined}
        aria-label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts={hydrated ? `${areShortcutsOff() ? '' : '/ '}Control+K Meta+K` : undefined}
        onClick={() => setOpen('palette')}
      >
        {children}
      </button>
      {open && Dialogs ? (
        <Dialogs open={open} user={user} typed={typed.current} onShow={setOpen} onClose={close} />
      ) : null}
    </>
  )
}

function wantedBy(event: KeyboardEvent): 'palette' | 'keys' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey !== metaKey && !altKey && !shiftKey && key.toLowerCase() === 'k') {
    // On a Mac, Ctrl K deletes the rest of the line.
    return isDialogOpen() || (ctrlKey && navigator.platform.startsWith('Mac')) ? undefined : 'palette'
  }
  if (!isShortcut(event)) return undefined
  if (key === '/') return 'palette'
  return key === '?' ? 'keys' : undefined
}
