import type { Db } from '@/db/client'
import type { LeasedEvent } from '@/server/events'
import { type NewNotification, selectOwners, selectStarters } from './store'

/**
 * Returns the notifications that events cause, in the order of the events. Nobody is notified of what they did
 * themselves, except of failures.
 */
export async function notificationsOf(db: Db, events: readonly LeasedEvent[]): Promise<NewNotification[]> {
  const runs = events.flatMap(({ kind, facts }) => (kind === 'run.completed' && facts.runId) || [])
  const accounts = events.flatMap(event => accountOf(event) ?? [])
  const [starters, owners] = await Promise.all([
    selectStarters(db, [...new Set(runs)]),
    selectOwners(db, [...new Set(accounts)]),
  ])
  const ownersOf = (event: LeasedEvent): number[] =>
    owners.flatMap(({ account_id, person_id }) => (account_id === accountOf(event) ? person_id : []))
  return events.flatMap((event): NewNotification[] => {
    const { kind, facts, actorId } = event
    const notify = (
      people: readonly (number | undefined)[],
      notification: NewNotification['kind'],
      subject: number | undefined,
    ): NewNotification[] =>
      people.flatMap(person =>
        person === undefined || subject === undefined
          ? []
          : { account_id: person, kind: notification, subject_id: subject, event_id: event.id },
      )
    const others = (people: readonly (number | undefined)[]) => people.filter(person => person !== actorId)
    switch (kind) {
      case 'run.completed':
        return notify([starters.get(facts.runId ?? 0)], 'run_failed', facts.runId)
      case 'repository.transfer_requested':
        return notify(others(ownersOf(event)), 'transfer_offered', facts.repositoryId)
      case 'team.member_added':
        return notify(others([facts.memberId]), 'team_joined', facts.teamId)
      case 'collaborator.added':
        return notify(others([facts.userId]), 'collaboration_begun', facts.repositoryId)
      case 'hook.disabled':
        return notify(ownersOf(event), 'hook_disabled', facts.hookId)
      default:
        return []
    }
  })
}

/** Returns the account whose owners an event concerns. */
function accountOf({ kind, facts, ownerId }: LeasedEvent): number | null | undefined {
  if (kind === 'repository.transfer_requested') return facts.recipientId
  return kind === 'hook.disabled' ? ownerId : undefined
}
