import type { EventKind, EventSignal, Notice, Signal } from '@/server/events'

/** How far an event can reduce what people may see: where it happened, or also in all repositories of its account. */
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

/** Whether followers of what the signal is about may have lost access, there or to something that belongs to it. */
export const mayTakeAccess = (signal: Signal): boolean => 'id' in signal && reach[signal.kind] !== undefined

/** Whether people may have lost access to repositories of the account it happened to. */
export const mayTakeRepositories = (signal: Signal): signal is EventSignal & { ownerId: number } =>
  'id' in signal && reach[signal.kind] === 'account' && signal.ownerId !== null

/** Whether this account was given or lost something, which can change what it sees on any page. */
export function concernsAccessOf(accountId: number | undefined, signal: EventSignal | Notice): boolean {
  if (accountId === undefined) return false
  if (signal.kind === 'user.edited') return signal.ownerId === accountId
  return 'personId' in signal && signal.personId === accountId
}
