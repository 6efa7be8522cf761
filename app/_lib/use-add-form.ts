'use client'
import { usePathname, useSearchParams } from 'next/navigation'

/** Whether the form is open is part of the address, so a link can point at it. */
export function useAddForm(): { open: boolean; show: () => void; hide: () => void } {
  const pathname = usePathname()
  const search = useSearchParams()

  const go = (open: boolean): void => {
    const params = new URLSearchParams(search)
    if (open) params.set('add', '1')
    else params.delete('add')
    window.history.replaceState(null, '', params.size > 0 ? `${pathname}?${params}` : pathname)
  }
  return { open: search.get('add') === '1', show: () => go(true), hide: () => go(false) }
}
