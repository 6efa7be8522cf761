'use client'
import { useLayoutEffect } from 'react'
import type { Place } from '@/app/_lib/recent-places'
import { onFirstUse } from '@/app/_lib/use-lazy-component'

/** Notes that the viewer is at this place, to which they may want to come back, once they do something there. */
export function VisitedPlace({ kind, text, href }: Place): null {
  // Whoever uses the page as soon as it is drawn counts, too.
  useLayoutEffect(
    () =>
      onFirstUse(
        async () => {
          const { rememberPlace } = await import('@/app/_lib/recent-places')
          rememberPlace({ kind, text, href })
        },
        () => true,
      ),
    [kind, text, href],
  )
  return null
}
