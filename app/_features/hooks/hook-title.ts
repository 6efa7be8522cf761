import { visibleLine } from '@/app/_lib/visible-text'
import type { ManagedHook } from '@/server/hooks/manage/schema'

type Titled = Pick<ManagedHook, 'name' | 'target' | 'type'> & Partial<Pick<ManagedHook, 'url'>>

/** Returns a hook's name, or a short form of its URL. */
export const hookTitle = (hook: Titled): string => (hook.name ? visibleLine(hook.name) : shortAddress(hook))

const maxPath = 40
const pathEnd = 16

/**
 * Returns a short form of a hook's URL: the host and the part that distinguishes it from others there. A
 * chat's URL is as secret as a password, so only its last characters are shown. Query strings are never
 * shown.
 */
export function shortAddress({ target, type, url }: Omit<Titled, 'name'>): string {
  const host = target.replace(/:(?:80|443)$/, '')
  if (url === undefined || !URL.canParse(url)) return host
  const { pathname, search } = new URL(url)
  const path = pathname === '/' ? '' : pathname
  if (type !== 'gitea' && type !== 'gogs') {
    const rest = path + search
    return rest === '' ? host : `${host}/…${rest.slice(-4)}`
  }
  const shown =
    path.length > maxPath ? `${path.slice(0, maxPath - pathEnd - 1)}…${path.slice(-pathEnd)}` : path
  return `${host}${shown}${search === '' ? '' : '?…'}`
}
