import { readFailure } from './failure'

/** Somebody whose session ended while a page was open signs in again and comes back to it. */
export function signInAgain(error: unknown): void {
  if (readFailure(error).kind !== 'unauthenticated') return
  const { pathname, search } = window.location
  if (pathname === '/-/sign-in') return
  window.location.assign(`/-/sign-in?next=${encodeURIComponent(pathname + search)}`)
}
