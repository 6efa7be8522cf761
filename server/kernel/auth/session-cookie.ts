import { sessionDays } from './find-session'

// __Host- ties the cookie to this host over TLS; a browser refuses that prefix on plain http.
const cookieName = (secure: boolean): string => (secure ? '__Host-guildhall_session' : 'guildhall_session')

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

export function readSessionCookie(header: string | null, baseUrl: string): string | undefined {
  const name = cookieName(isSecure(baseUrl))
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value) return value
  }
  return undefined
}

export function writeSessionCookie(secret: string, baseUrl: string): string {
  return serialize(secret, sessionDays * 24 * 60 * 60, baseUrl)
}

export function clearSessionCookie(baseUrl: string): string {
  return serialize('', 0, baseUrl)
}

function serialize(value: string, maxAgeSeconds: number, baseUrl: string): string {
  const secure = isSecure(baseUrl)
  const parts = [`${cookieName(secure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  return [...parts, `Max-Age=${maxAgeSeconds}`, ...(secure ? ['Secure'] : [])].join('; ')
}
