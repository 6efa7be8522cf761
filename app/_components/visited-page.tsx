'use client'
import { useLayoutEffect } from 'react'
import type { RecentPage } from '@/app/_lib/recent-pages'
import { onFirstUse } from '@/app/_lib/workarounds/use-lazy-component'

/** Records a visit to this page once the viewer interacts with it, so that search can suggest it later. */
export function VisitedPage({ kind, text, href }: RecentPage): null {
  // A layout effect, to include people who use the page as soon as it is shown.
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
