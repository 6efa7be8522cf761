import type { Page } from '../pagination'
import { withoutToken } from './query-token'

// It is repeated up to four times, and clients and proxies refuse an answer whose headers exceed 8 or 16 KB.
const longestUrl = 2048

/**
 * The Link header of a page, or undefined when one page holds everything or the URL is longer than 2 KB.
 * `url` is the absolute URL asked for; its other query keys are kept as sent, sorted. Entries stand in the order
 * next, last, first, prev, joined by a bare comma, because existing clients split on exactly that.
 */
export function linkHeader(url: string, page: Omit<Page<unknown>, 'items'>): string | undefined {
  if (url.length > longestUrl) return undefined
  const last = Math.max(1, Math.ceil(page.total / page.limit))
  const current = Math.min(page.page, last)
  const entry = (rel: string, target: number) => `<${withKey(url, 'page', target)}>; rel="${rel}"`
  const entries = [
    ...(current < last ? [entry('next', current + 1), entry('last', last)] : []),
    ...(current > 1 ? [entry('first', 1), entry('prev', current - 1)] : []),
  ]
  return entries.length > 0 ? entries.join(',') : undefined
}

/** The Link header of a part of a list, or undefined when nothing comes after it or the URL is longer than 2 KB. */
export function nextLinkHeader(url: string, cursor: number | null): string | undefined {
  if (cursor === null || url.length > longestUrl) return undefined
  return `<${withKey(url, 'cursor', cursor)}>; rel="next"`
}

function withKey(url: string, key: 'page' | 'cursor', value: number): string {
  const target = new URL(url)
  target.search = withoutToken(target.search)
  target.searchParams.set(key, String(value))
  target.searchParams.sort()
  return target.href
}
