import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False while the page is only the server's text: what is typed into a field then would be overwritten. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
