'use client'
import { type RefObject, useEffect, useRef } from 'react'
import { useAddress } from './workarounds/navigation-queue'
import { stopAsking } from './workarounds/use-unsaved-warning'

interface AddForm {
  open: boolean
  show: () => void
  hide: () => void
  /** Of the button that opens the form and is there again once it is closed. */
  opener: RefObject<HTMLButtonElement | null>
}

/**
 * Whether the form is open is part of the address, so a link can point at it, and the browser's way back closes it.
 * Hiding it asks nothing, whatever it holds. What else of the address `filled` it in goes with it.
 */
export function useAddForm(filled: readonly string[] = []): AddForm {
  const [search, change] = useAddress()
  const open = search.get('add') === '1'

  // The keyboard was in the form; unless something else has claimed it, such as a new row, it goes where it came from.
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(open)
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = open
  }, [open])

  return {
    opener,
    open,
    show: () => {
      // The entry before this one has the form closed. The router writes into the object, so it is a new one.
      change('pushState', params => params.set('add', '1'), { openedForm: true })
    },
    hide: () => {
      stopAsking()
      if (window.history.state?.openedForm) window.history.back()
      else {
        change('replaceState', params => {
          for (const name of ['add', ...filled]) params.delete(name)
        })
      }
    },
  }
}
