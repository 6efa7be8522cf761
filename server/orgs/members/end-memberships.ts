import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { originOf, recordEvents } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { endCollaborations } from '@/server/users'
import { deleteMembers, type MembersToRemove } from './store'

/** Who left an organization, and the repositories they were collaborators on, as `owner/name`. */
interface EndedMemberships {
  left: { id: number; name: string }[]
  collaborations: string[]
}

/**
 * Ends memberships of an organization, with the direct collaborations of these people on its repositories, such as those
 * they created there, and records each as an event.
 */
export async function endMemberships(
  trx: Transaction<Database>,
  ctx: UserCtx,
  org: Account,
  members: MembersToRemove,
): Promise<EndedMemberships> {
  const left = await deleteMembers(trx, org.id, members)
  const events = left.map(({ id, name }) => ({
    kind: 'org.member_removed' as const,
    ownerId: org.id,
    facts: { memberId: id, member: name },
  }))
  await recordEvents(trx, originOf(ctx), events)
  const of = left.map(({ id }) => id)
  return { left, collaborations: await endCollaborations(trx, ctx, { of, ownerId: org.id }) }
}
