import type { Caller } from '@/server/kernel/caller'
import { DomainError } from '@/server/kernel/errors'
import { viewerName } from './page-viewer'

/**
 * Requires that the calling page was rendered for the current caller. All tabs of a browser share the session cookie, so
 * after someone else signs in, a page that is still open must not act for them.
 * @throws {DomainError} viewerChanged
 */
export function requireViewer(caller: Caller, renderedFor: string | null): void {
  const user = caller.kind === 'user' ? caller.user : undefined
  if (renderedFor === viewerName(user?.id)) return
  const message = user ? `you are signed in as ${user.name} in another tab` : 'your session has ended'
  throw new DomainError('viewerChanged', message, { viewer: user?.name ?? null })
}
