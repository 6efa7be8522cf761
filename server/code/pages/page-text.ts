import { createHash } from 'node:crypto'
import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { singleton } from '@/server/kernel/singleton'

/**
 * Returns the HTML of texts for pages that are being rendered, by key. A text is not passed to the page as data,
 * because the page would then contain it twice: as HTML, and again for its scripts. The component that shows it
 * takes it from here (`app/_features/code/page-text.tsx`).
 */
export const pageTexts = (): BoundedCache<string> =>
  singleton('page-texts', () => createBoundedCache({ maxSize: 24 * 1024 * 1024, maxAgeMs: 10 * 60_000 }))

/** The most characters of HTML that the texts of one page can have together, so that all of them are kept. */
export const maxPageText = 8 * 1024 * 1024

/**
 * Keeps the HTML of a text for the page that shows it, and returns its key: a hash of the HTML, so that pages with the
 * same key show the same.
 */
export function keepPageText(html: string): string {
  const key = hashOf(html)
  pageTexts().set(key, html, 2 * html.length)
  return key
}

// 162 bits. The pages of changes contain several of them for each file.
const hashOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 27)
