'use client'
import { useEffect } from 'react'
import type { Place } from '@/app/_lib/recent-places'
import { onFirstUse } from '@/app/_lib/use-lazy-component'

/** Notes that the viewer is at this place, to which they may want to come back, once they do something there. */
export function VisitedPlace({ kind, text, href }: Place): null {
  useEffect(
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
