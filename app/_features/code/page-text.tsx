import type { ReactNode } from 'react'
import { textInData } from '@/app/_lib/server'
import { PageTextIsland } from './page-text-island'

interface PageTextProps {
  /** Key of the text's HTML, which the server has made safe to embed. */
  textKey: string
  className: string | undefined
  /** Whether it can be wider than the page, so that the keyboard must be able to scroll it. */
  scrolls?: boolean
}

/** Shows a text that the server keeps while the page is rendered. A document contains it only once. */
export function PageText({ textKey, className, scrolls = false }: PageTextProps): ReactNode {
  return (
    <PageTextIsland
      key={textKey}
      textKey={textKey}
      className={className}
      scrolls={scrolls}
      html={textInData(textKey)}
    />
  )
}
