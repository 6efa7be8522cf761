'use client'
import { idIn } from './paths'
import { useAddress } from './router-turns'

/**
 * A choice on a page that stands in its address, so that it can be kept and shared, and the browser's way back undoes it;
 * the server is not asked for the page again.
 */
export function useAddressParam(
  name: string,
): [value: string | undefined, choose: (value: string | undefined) => void] {
  const [search, change] = useAddress()
  const choose = (value: string | undefined): void =>
    change('pushState', params => {
      if (value === undefined) params.delete(name)
      else params.set(name, value)
    })
  return [search.get(name) ?? undefined, choose]
}

/** As `useAddressParam`, for the id of what is chosen; anything else is as if it were not there. */
export function useAddressId(
  name: string,
): [id: number | undefined, choose: (id: number | undefined) => void] {
  const [word, choose] = useAddressParam(name)
  return [idIn(word), id => choose(id === undefined ? undefined : String(id))]
}
