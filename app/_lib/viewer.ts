'use client'
import { useSyncExternalStore } from 'react'

/** The person for whom a page is rendered. */
export interface Viewer {
  id: number
  login: string
}

/** Reports that the browser now has someone else's session, or none. */
export interface ViewerChange {
  /** Username of the person who is now signed in. Null if no one is. */
  now: string | null
}

let change: ViewerChange | undefined
let isDismissed = false
// When the person last signed in again on this page, as `performance.now()`.
let confirmedAt = 0
const listeners = new Set<() => void>()

function set(next: ViewerChange | undefined): void {
  change = next
  for (const listener of listeners) listener()
}

/**
 * Returns the person for whom the open page was rendered, in the form of the header value. The layout writes
 * it to the root element.
 */
export const renderedFor = (): string => document.documentElement.dataset.viewer ?? ''

/**
 * Records that a call was refused because the viewer has changed. After the dialog was dismissed, only
 * refused mutations show it again. A refusal from before the person signed in again is ignored.
 * @param askedAt When the call was sent, as `performance.now()`.
 */
export function noteViewerChange(
  now: string | null,
  refused: 'query' | 'mutation' | 'subscription',
  askedAt = performance.now(),
): void {
  if (askedAt < confirmedAt) return
  if (!isDismissed || refused === 'mutation') set({ now })
}

/** Dismisses the dialog. The page remains open, so that what was typed can be copied. */
export function dismissViewerChange(): void {
  isDismissed = true
  set(undefined)
}

/** Records that the browser has the session again for which the page was rendered. */
export function endViewerChange(): void {
  isDismissed = false
  confirmedAt = performance.now()
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
