import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { EventKind } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import type { Organization } from '@/server/orgs/schema'
import { asOwner, type RepositoryRow, viewRepositoryAs } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { viewDeployKeyActor, viewGhost, viewUserForOthers } from '@/server/users'
import type { User } from '@/server/users/schema'
import { lookupsOf } from './lookups'

/** The fields of an event from which its actor, owner, and repository are loaded. */
export interface EventOwner {
  id: number
  actorId: number | null
  ownerId: number | null
  repositoryId: number | null
  /** The deploy key that acted; undefined if a person did. */
  deployKey?: { title: string } | undefined
}

/**
 * Converts an account as payloads show it. If the account was deleted, uses the name and ID that the event
 * recorded.
 */
export function viewPerson(
  ctx: ServiceCtx,
  account: Account | undefined,
  known?: { id: number; name: string },
): User {
  return account ? viewUserForOthers(ctx, account) : viewGhost(ctx, known)
}

/** The current state of an event's organization, with the accounts of the people involved in the event. */
export interface OrganizationState {
  account: Account
  organization: Organization
  sender: User
  /** Returns another person that the event mentions. */
  person(known: { id: number | undefined; name: string | undefined }): User
}

/**
 * Loads the organization of an event and the accounts of the people involved with one query; undefined if the
 * organization was deleted.
 */
export async function organizationState(
  ctx: ServiceCtx,
  { ownerId, actorId }: EventOwner,
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

/** A repository in its current state, or as it was when it was deleted. */
export interface RepositoryState {
  /** The repository, rendered with the permissions of its owner. */
  repository: Repository
  owner: User
  sender: User
  /** The row of the repository; undefined if the repository was deleted. */
  row: RepositoryRow | undefined
  account: Account | undefined
}

/**
 * Loads the repository and the actor of an event with at most three queries; undefined if the repository was
 * deleted without a recorded state.
 */
export async function repositoryState(
  ctx: ServiceCtx,
  event: EventOwner,
  knownId: number | undefined,
): Promise<RepositoryState | undefined> {
  const lookups = lookupsOf(ctx.db)
  const { repositoryId } = event
  const row =
    repositoryId === null ? undefined : (await lookups.repositories([repositoryId])).get(repositoryId)
  const accounts = await lookups.accounts([row?.owner_id, event.actorId].flatMap(id => id ?? []))
  const sender = event.deployKey
    ? viewDeployKeyActor(ctx, event.deployKey)
    : viewPerson(ctx, accounts.get(event.actorId ?? 0))
  const owner = row && accounts.get(row.owner_id)
  if (row && owner) {
    const repository = viewRepositoryAs(ctx, { repository: row, owner }, asOwner)
    return { repository, owner: repository.owner, sender, row, account: owner }
  }
  const last = await shownAtDeletion<Repository>(ctx.db, event, 'repository.deleted', {
    repositoryId: knownId,
  })
  return last && { repository: last, owner: last.owner, sender, row: undefined, account: undefined }
}

/**
 * Returns the state of an object that was recorded when the object was deleted. Used for an earlier event
 * about the object that is processed only after the deletion. Undefined if no state was recorded, as in
 * deletion events of earlier versions.
 */
export async function shownAtDeletion<Shown>(
  db: Db,
  event: EventOwner,
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
