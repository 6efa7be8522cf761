import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page is hydrated. Before hydration, text typed into a field would be overwritten. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
