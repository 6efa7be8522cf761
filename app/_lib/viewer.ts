'use client'
import { useSyncExternalStore } from 'react'

/** Who a page is rendered for. */
export interface Viewer {
  id: number
  login: string
}

/** The browser has somebody else's session by now, or none. */
export interface ViewerChange {
  /** The name of who is signed in now; null for nobody. */
  now: string | null
}

let change: ViewerChange | undefined
let isDismissed = false
const listeners = new Set<() => void>()

function set(next: ViewerChange | undefined): void {
  change = next
  for (const listener of listeners) listener()
}

/** For whom the open page was rendered, in the form of the header for it; the layout writes it on the root element. */
export const renderedFor = (): string => document.documentElement.dataset.viewer ?? ''

/** Notes a call that was refused as the viewer has changed. Once put aside, only refused mutations are told again. */
export function noteViewerChange(now: string | null, refused: 'query' | 'mutation' | 'subscription'): void {
  if (!isDismissed || refused === 'mutation') set({ now })
}

/** The page stays open as it is, so that what was typed can be copied. */
export function dismissViewerChange(): void {
  isDismissed = true
  set(undefined)
}

/** The browser has the session again that the page was rendered for. */
export function endViewerChange(): void {
  isDismissed = false
  set(undefined)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useViewerChange(): ViewerChange | undefined {
  return useSyncExternalStore(
    subscribe,
    () => change,
    () => undefined,
  )
}
