'use client'
import { idIn } from './paths'
import { useAddress } from './workarounds/navigation-queue'

/**
 * State of a page in a query parameter, so that it can be bookmarked and shared and the browser's Back button
 * undoes a change. Changing it does not request the page again.
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

/** Like `useAddressParam`, for an ID. Invalid values count as absent. */
export function useAddressId(
  name: string,
): [id: number | undefined, select: (id: number | undefined) => void] {
  const [word, select] = useAddressParam(name)
  return [idIn(word), id => select(id === undefined ? undefined : String(id))]
}
