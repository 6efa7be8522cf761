'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'

interface PageTextIslandProps {
  textKey: string
  className: string | undefined
  scrolls: boolean
  html: string | undefined
}

interface Texts {
  get(key: string): string | undefined
}

// On the server, it is the cache of `server/code/pages/page-text.ts`; in the browser, there is none.
const texts = (): Texts | undefined =>
  (globalThis as unknown as Record<symbol, Texts | undefined>)[Symbol.for('guildhall.page-texts')]

/** Shows a text that is in the document already, or that the page has got as data. */
export function PageTextIsland({ textKey, className, scrolls, html }: PageTextIslandProps): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const [first] = useState(() => html ?? texts()?.get(textKey) ?? '')
  // Text that is in the document already is left as it is, also when the page is refreshed as data.
  const [isInDocument, setInDocument] = useState(false)
  useEffect(() => {
    if (holder.current?.innerHTML !== '') setInDocument(true)
    // The browser has gone back to a page whose data does not contain the text.
    else refreshPage()
  }, [])
  return (
    <div
      ref={holder}
      className={className}
      tabIndex={scrolls ? 0 : undefined}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has escaped or sanitized the text
      dangerouslySetInnerHTML={{ __html: isInDocument || first !== '' ? first : (html ?? '') }}
    />
  )
}
