'use client'
import { type ComponentType, useEffect, useRef, useState } from 'react'

const firstUses = ['pointerdown', 'keydown'] as const

/**
 * A component that no page needs to be read: it is fetched once somebody begins to use the page, or at the latest when
 * it is wanted. Undefined until then, and where fetching fails, which is tried again when it is wanted the next time.
 */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
): ComponentType<Props> | undefined {
  const [component, setComponent] = useState<ComponentType<Props>>()
  const loader = useRef(load)

  useEffect(() => {
    const begin = (): void => {
      loader.current().then(
        loaded => setComponent(() => loaded),
        () => undefined,
      )
    }
    if (isWanted) begin()
    for (const kind of firstUses) window.addEventListener(kind, begin, { once: true, passive: true })
    return () => {
      for (const kind of firstUses) window.removeEventListener(kind, begin)
    }
  }, [isWanted])

  return component
}
