import { createHash } from 'node:crypto'
import { createBoundedCache } from '@/server/kernel/bounded-cache'
import { pageExchanges } from '@/server/kernel/page-exchange'
import { singleton } from '@/server/kernel/singleton'

/** HTML of texts, by key. */
interface PageTexts {
  /** If the text has been removed for others, the page that is being rendered is marked as incomplete. */
  get(key: string): string | undefined
  set(key: string, html: string): void
}

/**
 * Returns the HTML of texts for pages that are being rendered, by key. A text is not passed to the page as data,
 * because the page would then contain it twice: as HTML, and again for its scripts. The component that shows it
 * takes it from here (`app/_features/code/page-text.tsx`).
 */
export const pageTexts = (): PageTexts => singleton('page-texts', createPageTexts)

function createPageTexts(): PageTexts {
  const texts = createBoundedCache<string>({ maxSize: 24 * 1024 * 1024, maxAgeMs: 10 * 60_000 })
  return {
    get(key) {
      const html = texts.get(key)
      const exchange = pageExchanges.getStore()
      if (html === undefined && exchange) exchange.isIncomplete = true
      return html
    },
    set: (key, html) => texts.set(key, html, 2 * html.length),
  }
}

/** The most characters of HTML that the texts of one page can have together, so that all of them are kept. */
export const maxPageText = 8 * 1024 * 1024

/**
 * Keeps the HTML of a text for the page that shows it, and returns its key: a hash of the HTML, so that pages with the
 * same key show the same.
 */
export function keepPageText(html: string): string {
  const key = hashOf(html)
  pageTexts().set(key, html)
  return key
}

// 162 bits. The pages of changes contain several of them for each file.
const hashOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 27)
