import type { EventKind, EventSignal, Notice, Signal } from '@/server/events'

/**
 * How far an event can reduce access: `here` to what the event concerns, `account` to all repositories of its
 * account.
 */
const reach: Partial<Record<EventKind, 'here' | 'account'>> = {
  'user.edited': 'account',
  'user.deleted': 'here',
  'org.edited': 'account',
  'org.deleted': 'here',
  'org.member_removed': 'here',
  'team.edited': 'account',
  'team.deleted': 'account',
  'team.member_removed': 'here',
  'team.repository_removed': 'here',
  'repository.edited': 'here',
  'repository.transferred': 'here',
  'repository.given_away': 'here',
  'repository.deleted': 'here',
  'collaborator.removed': 'here',
}

/** Returns whether followers of what the signal concerns may have lost access to it or to its topics. */
export const mayTakeAccess = (signal: Signal): boolean => 'id' in signal && reach[signal.kind] !== undefined

/** Returns whether people may have lost access to repositories of the account that the signal concerns. */
export const mayTakeRepositories = (signal: Signal): signal is EventSignal & { ownerId: number } =>
  'id' in signal && reach[signal.kind] === 'account' && signal.ownerId !== null

/**
 * Returns whether the signal changes this account's access, which can affect every page that the account has
 * open.
 */
export function concernsAccessOf(accountId: number | undefined, signal: EventSignal | Notice): boolean {
  if (accountId === undefined) return false
  if (signal.kind === 'user.edited') return signal.ownerId === accountId
  return 'personId' in signal && signal.personId === accountId
}
