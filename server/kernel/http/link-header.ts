import type { Page } from '../pagination'
import { withoutToken } from './query-token'

// The URL is repeated up to four times, and clients and proxies refuse responses with more than 8 or 16 KB of
// headers.
const longestUrl = 2048

/**
 * Returns the `Link` header for one page of a paginated list, or undefined if the list fits on one page or
 * the URL is longer than 2 KB. `url` is the absolute URL of the request; its other query parameters are kept
 * as sent, sorted. The links are in the order next, last, first, prev, separated by a comma without a space,
 * because existing clients depend on this.
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

/**
 * Returns the `Link` header for one page of a list with cursor-based pagination, or undefined if there are no
 * more entries or the URL is longer than 2 KB.
 */
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
