'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { idIn } from './paths'

/**
 * A choice on a page that stands in its address, so that it can be kept and shared, and the browser's way back undoes it;
 * the server is not asked for the page again.
 */
export function useAddressParam(
  name: string,
): [value: string | undefined, choose: (value: string | undefined) => void] {
  const pathname = usePathname()
  const search = useSearchParams()
  const choose = (value: string | undefined): void => {
    const params = new URLSearchParams(search)
    if (value === undefined) params.delete(name)
    else params.set(name, value)
    window.history.pushState(null, '', params.size > 0 ? `${pathname}?${params}` : pathname)
  }
  return [search.get(name) ?? undefined, choose]
}

/** As `useAddressParam`, for the id of what is chosen; anything else is as if it were not there. */
export function useAddressId(
  name: string,
): [id: number | undefined, choose: (id: number | undefined) => void] {
  const [word, choose] = useAddressParam(name)
  return [idIn(word), id => choose(id === undefined ? undefined : String(id))]
}
