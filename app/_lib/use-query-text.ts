'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useDebounced } from './use-debounced'

/** A text that the address holds under this name; the address follows the typing after a short pause. */
export function useQueryText(name: string, value: string): [text: string, setText: (text: string) => void] {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // Long enough for a date too: a year that is being typed is one already.
  const settled = useDebounced(text.trim(), 300)

  // The address changed by other means, such as the button that clears the search.
  if (value !== shown) {
    setShown(value)
    if (value !== text.trim()) setText(value)
  }
  useEffect(() => {
    if (settled === value || settled !== text.trim()) return
    // Another choice, such as the order, stays; the page of the former list does not.
    const params = new URLSearchParams(search)
    params.delete('page')
    if (settled) params.set(name, settled)
    else params.delete(name)
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }, [settled, text, name, value, search, pathname, router])

  return [text, setText]
}
