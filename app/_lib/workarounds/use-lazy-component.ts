'use client'
import { type ComponentType, useEffect, useRef, useState } from 'react'

const firstUses = ['pointerdown', 'keydown'] as const

/**
 * Whether the event is not on a link. People who follow a link wait for its page, not for code of the current
 * one.
 */
const isNoLink = ({ target }: Event): boolean => !(target instanceof Element && target.closest('a[href]'))

/**
 * Calls back when someone starts to use the page, and returns a function that cancels it. Does nothing on the server.
 */
export function onFirstUse(begin: () => void, isUse: (event: Event) => boolean = isNoLink): () => void {
  if (typeof window === 'undefined') return () => undefined
  const stop = (): void => {
    for (const kind of firstUses) window.removeEventListener(kind, use)
  }
  const use = (event: Event): void => {
    if (!isUse(event)) return
    stop()
    // The press itself is handled first, which takes longer for one that leads to another page.
    setTimeout(begin, isNoLink(event) ? 0 : 200)
  }
  for (const kind of firstUses) window.addEventListener(kind, use, { passive: true })
  return stop
}

/**
 * Loads a component that a page does not need for reading: when someone starts to use the page, or at the latest when
 * it is wanted. Returns undefined until it is loaded. A failed load is repeated the next time that the component is
 * wanted.
 */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailure?: (error: unknown) => void,
): ComponentType<Props> | undefined {
  const [component, setComponent] = useState<ComponentType<Props>>()
  const latest = useRef({ load, onFailure })
  latest.current = { load, onFailure }

  useEffect(() => {
    const begin = (): void => {
      latest.current.load().then(
        loaded => setComponent(() => loaded),
        error => (isWanted ? latest.current.onFailure?.(error) : undefined),
      )
    }
    if (isWanted) begin()
    return onFirstUse(begin)
  }, [isWanted])

  return component
}
