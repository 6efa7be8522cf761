import { parseCookie, stringifySetCookie } from 'cookie'
import { sessionDays } from './session'

// __Host- ties the cookie to this host over TLS; a browser refuses that prefix on plain http.
const cookieName = (secure: boolean): string => (secure ? '__Host-guildhall_session' : 'guildhall_session')

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** Finds the session's secret in a Cookie header. */
export function readSessionCookie(header: string | null, baseUrl: string): string | undefined {
  return parseCookie(header ?? '')[cookieName(isSecure(baseUrl))] || undefined
}

/** Returns the Set-Cookie line that gives a browser the session. */
export function writeSessionCookie(secret: string, baseUrl: string): string {
  return serialize(secret, sessionDays * 24 * 60 * 60, baseUrl)
}

/** Returns the Set-Cookie line that takes the session from a browser. */
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
