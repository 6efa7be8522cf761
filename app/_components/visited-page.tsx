'use client'
import { useLayoutEffect } from 'react'
import type { RecentPage } from '@/app/_lib/recent-pages'
import { onFirstUse } from '@/app/_lib/workarounds/use-lazy-component'

/** Notes that the viewer is at this page, to which they may want to come back, once they do something there. */
export function VisitedPage({ kind, text, href }: RecentPage): null {
  // Whoever uses the page as soon as it is drawn counts, too.
  useLayoutEffect(
    () =>
      onFirstUse(
        async () => {
          const { rememberPage } = await import('@/app/_lib/recent-pages')
          rememberPage({ kind, text, href })
        },
        () => true,
      ),
    [kind, text, href],
  )
  return null
}
