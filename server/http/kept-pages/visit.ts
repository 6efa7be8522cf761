import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import type { Shows } from '@/server/events'
import { shownAt } from './rules'

/** Cookies with settings of a browser that pages are rendered with. */
export const preferenceCookies: readonly string[] = [
  'guildhall_theme',
  'guildhall_contrast',
  'guildhall_shortcuts',
  'guildhall_clone',
]

/** What the page for a request without a session is rendered from. Nothing else of the request is used. */
export interface Visit {
  /** The same for all requests that get the same page. */
  key: string
  /** Path and query. */
  path: string
  /** The preferences, as a header. */
  cookie: string
  shows: Shows
}

const maxLength = 300

/**
 * Reads a request for a page that all visitors with the same preferences see alike. Returns undefined for all
 * others, such as those with a session or credentials.
 */
export function readVisit({ method, url = '/', headers }: IncomingMessage): Visit | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (url.length > maxLength || headers.rsc !== undefined || headers.authorization !== undefined)
    return undefined
  const { pathname, search, searchParams } = new URL(`http://page.invalid${url}`)
  // Next resolves paths with `..` in its own way, and its name for a request for data of a page is `_rsc`.
  const isPlain = url.split('?', 1)[0] === pathname && !searchParams.has('_rsc')
  const shows = isPlain ? shownAt(pathname) : undefined
  const cookie = shows && readPreferences(headers.cookie)
  if (shows === undefined || cookie === undefined) return undefined
  const path = pathname + search
  return { key: `${path} ${cookie}`, path, cookie, shows }
}

/** Returns the preferences in a cookie header, in the same order always; undefined if it has a session. */
function readPreferences(header = ''): string | undefined {
  const cookies = parseCookie(header)
  if (Object.keys(cookies).some(name => name.endsWith('guildhall_session'))) return undefined
  const known = preferenceCookies.filter(name => /^\w{1,20}$/.test(cookies[name] ?? ''))
  return known.map(name => `${name}=${cookies[name]}`).join('; ')
}
