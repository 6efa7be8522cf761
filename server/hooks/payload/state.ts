import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { EventKind } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import type { Organization } from '@/server/orgs/schema'
import { asOwner, type RepositoryRow, viewRepositoryAs } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { viewGhost, viewUserForOthers } from '@/server/users'
import type { User } from '@/server/users/schema'
import { lookupsOf } from './lookups'

/** What of an event's row tells where to look. */
export interface Place {
  id: number
  actorId: number | null
  ownerId: number | null
  repositoryId: number | null
}

/** A person as payloads show them; by what the event knows of them when their account is deleted. */
export function viewPerson(
  ctx: ServiceCtx,
  account: Account | undefined,
  known?: { id: number; name: string },
): User {
  return account ? viewUserForOthers(ctx, account) : viewGhost(ctx, known)
}

/** An organization as it is now. */
export interface OrganizationState {
  account: Account
  organization: Organization
  sender: User
  /** Somebody else that the event tells of. */
  person(known: { id: number | undefined; name: string | undefined }): User
}

/** Looks up the organization of an event and the people in it, with one query; undefined when it is deleted. */
export async function organizationState(
  ctx: ServiceCtx,
  { ownerId, actorId }: Place,
  personId?: number,
): Promise<OrganizationState | undefined> {
  const accounts = await lookupsOf(ctx.db).accounts([ownerId, actorId, personId].flatMap(id => id ?? []))
  const account = accounts.get(ownerId ?? 0)
  if (!account) return undefined
  return {
    account,
    organization: viewOrg(ctx, account),
    sender: viewPerson(ctx, accounts.get(actorId ?? 0)),
    person: ({ id, name }) =>
      viewPerson(
        ctx,
        accounts.get(id ?? 0),
        id === undefined || name === undefined ? undefined : { id, name },
      ),
  }
}

/** A repository as it is now, or was when it was deleted. */
export interface RepositoryState {
  /** With its owner's permissions. */
  repository: Repository
  owner: User
  sender: User
  /** Absent once it is deleted. */
  row: RepositoryRow | undefined
}

/** Looks up the repository of an event and who did it, with three queries at most; undefined when it left no trace. */
export async function repositoryState(
  ctx: ServiceCtx,
  event: Place,
  knownId: number | undefined,
): Promise<RepositoryState | undefined> {
  const lookups = lookupsOf(ctx.db)
  const { repositoryId } = event
  const row =
    repositoryId === null ? undefined : (await lookups.repositories([repositoryId])).get(repositoryId)
  const accounts = await lookups.accounts([row?.owner_id, event.actorId].flatMap(id => id ?? []))
  const sender = viewPerson(ctx, accounts.get(event.actorId ?? 0))
  const owner = row && accounts.get(row.owner_id)
  if (row && owner) {
    const repository = viewRepositoryAs(ctx, { repository: row, owner }, asOwner)
    return { repository, owner: repository.owner, sender, row }
  }
  const last = await shownAtDeletion<Repository>(ctx.db, event, 'repository.deleted', {
    repositoryId: knownId,
  })
  return last && { repository: last, owner: last.owner, sender, row: undefined }
}

/**
 * What was shown of something when it was deleted: this event was recorded before that and is handled after it. Events of
 * earlier versions tell less.
 */
export async function shownAtDeletion<Shown>(
  db: Db,
  event: Place,
  kind: EventKind,
  fact: Record<string, number | undefined>,
): Promise<Shown | undefined> {
  const [[name, id]] = Object.entries(fact) as [[string, number | undefined]]
  if (event.ownerId === null || id === undefined) return undefined
  const found = await db
    .selectFrom('events')
    .select('data')
    .where('owner_id', '=', event.ownerId)
    .where('id', '>', event.id)
    .where('kind', '=', kind)
    .where(sql`data ->> ${name}`, '=', String(id))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return (found?.data as { shown?: Shown } | undefined)?.shown
}
