'use client'
import { type ComponentType, useEffect, useRef, useState } from 'react'

const firstUses = ['pointerdown', 'keydown'] as const

/** Whoever follows a link waits for its page, not for what this one could still do. */
const isNoLink = ({ target }: Event): boolean => !(target instanceof Element && target.closest('a[href]'))

/** Calls back once somebody begins to use the page; gives what ends that. On the server nobody does. */
export function onFirstUse(begin: () => void, isUse: (event: Event) => boolean = isNoLink): () => void {
  if (typeof window === 'undefined') return () => undefined
  const stop = (): void => {
    for (const kind of firstUses) window.removeEventListener(kind, use)
  }
  const use = (event: Event): void => {
    if (!isUse(event)) return
    stop()
    // The press itself is answered first, which takes longer for one that leads to another page.
    setTimeout(begin, isNoLink(event) ? 0 : 200)
  }
  for (const kind of firstUses) window.addEventListener(kind, use, { passive: true })
  return stop
}

/**
 * A component that no page needs to be read: it is fetched once somebody begins to use the page, or at the latest when
 * it is wanted. Undefined until then, and where fetching fails, which is tried again when it is wanted the next time.
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
