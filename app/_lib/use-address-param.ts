'use client'
import { idIn } from './paths'
import { useAddress } from './workarounds/navigation-queue'

/**
 * A choice on a page that stands in its address, so that it can be kept and shared, and the browser's way back undoes it;
 * the server is not asked for the page again.
 */
export function useAddressParam(
  name: string,
): [value: string | undefined, select: (value: string | undefined) => void] {
  const [search, change] = useAddress()
  const select = (value: string | undefined): void =>
    change('pushState', params => {
      if (value === undefined) params.delete(name)
      else params.set(name, value)
    })
  return [search.get(name) ?? undefined, select]
}

/** As `useAddressParam`, for the id of what is chosen; anything else is as if it were not there. */
export function useAddressId(
  name: string,
): [id: number | undefined, select: (id: number | undefined) => void] {
  const [word, select] = useAddressParam(name)
  return [idIn(word), id => select(id === undefined ? undefined : String(id))]
}
