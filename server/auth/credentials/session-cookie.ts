import { parseCookie, stringifySetCookie } from 'cookie'
import { sessionDays } from './session'

// __Host- ties the cookie to this host over TLS; a browser refuses that prefix on plain http.
const cookieName = (secure: boolean): string => (secure ? '__Host-guildhall_session' : 'guildhall_session')

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** Returns the session's secret from a Cookie header, or undefined if there is none. */
export function readSessionCookie(header: string | null, baseUrl: string): string | undefined {
  return parseCookie(header ?? '')[cookieName(isSecure(baseUrl))] || undefined
}

/** Returns the value of the Set-Cookie header that stores the session in the browser. */
export function writeSessionCookie(secret: string, baseUrl: string): string {
  return serialize(secret, sessionDays * 24 * 60 * 60, baseUrl)
}

/** Returns the value of the Set-Cookie header that deletes the session from the browser. */
export function clearSessionCookie(baseUrl: string): string {
  return serialize('', 0, baseUrl)
}

function serialize(value: string, maxAge: number, baseUrl: string): string {
  const secure = isSecure(baseUrl)
  return stringifySetCookie(cookieName(secure), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    maxAge,
    secure,
  })
}
