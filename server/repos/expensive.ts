import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'

/**
 * Requires that the caller is signed in for what is expensive to compute, if the site is set so.
 * @throws {DomainError} unauthenticated
 */
export function requireSignInIfExpensive({ caller, config }: ServiceCtx): void {
  if (config.expensivePages === 'everyone' || !isAnonymous(caller)) return
  throw unauthenticated(
    'this site shows comparisons, old history, and archives only to people who are signed in',
  )
}
