'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { stopAsking } from './use-unsaved-warning'

/**
 * Whether the form is open is part of the address, so a link can point at it, and the browser's way back closes it.
 * Hiding it asks nothing, whatever it holds.
 */
export function useAddForm(): { open: boolean; show: () => void; hide: () => void } {
  const pathname = usePathname()
  const search = useSearchParams()
  const addressWith = (change: (params: URLSearchParams) => void): string => {
    const params = new URLSearchParams(search)
    change(params)
    return params.size > 0 ? `${pathname}?${params}` : pathname
  }

  return {
    open: search.get('add') === '1',
    show: () => {
      const address = addressWith(params => params.set('add', '1'))
      // The entry before this one has the form closed. The router writes into the object, so it is a new one.
      window.history.pushState({ openedForm: true }, '', address)
    },
    hide: () => {
      stopAsking()
      if (window.history.state?.openedForm) window.history.back()
      else {
        const address = addressWith(params => params.delete('add'))
        window.history.replaceState(null, '', address)
      }
    },
  }
}
