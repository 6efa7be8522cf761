'use client'
import { type RefObject, useEffect, useRef } from 'react'
import { useAddress } from './workarounds/navigation-queue'
import { stopAsking } from './workarounds/use-unsaved-warning'

interface AddForm {
  open: boolean
  show: () => void
  hide: () => void
  /** The button that opens the form and is shown again once the form is closed. */
  opener: RefObject<HTMLButtonElement | null>
}

/**
 * State of an "add" form. Whether it is open is part of the URL, so that links can open it and the browser's
 * Back button closes it. Hiding it never asks about unsaved changes, and also removes the `filled` query
 * parameters.
 */
export function useAddForm(filled: readonly string[] = []): AddForm {
  const [search, change] = useAddress()
  const open = search.get('add') === '1'

  // The focus was in the form. It returns to the button, unless something else, such as a new row, has taken
  // it.
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
      // The previous history entry has the form closed. The state is a new object, because the router writes
      // into it.
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
