import { describeEvent, type EventKind, eventKinds, readEvent } from '@/server/events'
import { findAccountByName, findRenamedAccount } from '@/server/kernel/account'
import { dayMs } from '@/server/kernel/clock'
import type { AdminCtx } from '@/server/kernel/ctx'
import { type CursorPage, pageBeforeCursor } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { findRenamedRepository, findRepositoryByName } from '@/server/repos'
import {
  type AuditEvent,
  automaticKinds,
  type EventFilter,
  eventGroups,
  type ListEventsInput,
} from './schema'
import { boundsOf, type EventRow, selectEvents, type Wanted } from './store'

/** Returns a page of the events that match the filter, newest first. Unknown names match no events. */
export async function listEvents(ctx: AdminCtx, input: ListEventsInput): Promise<CursorPage<AuditEvent>> {
  const wanted = await resolveFilter(ctx, input)
  if (!wanted) return { items: [], next: null }
  const below = lowest(wanted.below, input.cursor)
  const rows = await selectEvents(ctx.db, { ...wanted, below }, input.limit + 1)
  return pageBeforeCursor(input.limit, rows.map(viewEvent))
}

/** Resolves the names in a filter, including former names, to IDs; undefined if no event can match. */
export async function resolveFilter(
  { db }: Pick<AdminCtx, 'db'>,
  { kind, actor, place, from, to }: EventFilter,
): Promise<Wanted | undefined> {
  const kinds = kind === '' || kind === 'everything' ? undefined : kindsOf(kind)
  const account = (name: string) =>
    findAccountByName(db, name).then(found => found ?? findRenamedAccount(db, name))
  const [ownerName = '', repositoryName = ''] = place.split('/', 2)
  const [by, owner] = await Promise.all([
    actor === '' ? undefined : account(actor),
    ownerName === '' ? undefined : account(ownerName),
  ])
  const repository =
    owner && repositoryName !== ''
      ? ((await findRepositoryByName(db, owner.id, repositoryName)) ??
        (await findRenamedRepository(db, owner.id, repositoryName)))
      : undefined
  if (kinds?.length === 0 || (actor !== '' && !by) || (place !== '' && !owner)) return undefined
  if (repositoryName !== '' && !repository) return undefined
  const times = {
    from: from === '' ? undefined : new Date(from),
    to: to === '' ? undefined : new Date(Date.parse(to) + dayMs),
  }
  return {
    kinds,
    actorId: by?.id,
    ownerId: repository ? undefined : owner?.id,
    repositoryId: repository?.id,
    ...times,
    ...(times.from || times.to ? await boundsOf(db, times) : { above: undefined, below: undefined }),
  }
}

function kindsOf(word: string): readonly EventKind[] {
  if (word === 'people') return eventKinds.filter(kind => !automatic.has(kind))
  const things: readonly string[] | undefined = Object.hasOwn(eventGroups, word)
    ? eventGroups[word as keyof typeof eventGroups]
    : undefined
  return eventKinds.filter(kind => kind === word || things?.includes(kind.split('.', 1)[0] ?? ''))
}

const automatic: ReadonlySet<string> = new Set(automaticKinds)

export const lowest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

export function viewEvent(row: EventRow): AuditEvent {
  const event = readEvent(row)
  return {
    id: row.id,
    kind: row.kind,
    created: wireTime(row.created_at),
    actor:
      named(row.actor_id, row.actor) ??
      (row.kind === 'session.opened' ? named(row.owner_id, row.owner) : null),
    text: event ? describeEvent(event) : row.kind,
    remote_address: row.remote_address,
    request_id: row.request_id,
    owner: row.owner,
    repository: row.repository,
    facts: row.data as AuditEvent['facts'],
  }
}

// Earlier versions recorded sign-ins without an actor.
const named = (id: number | null, name: string | null): AuditEvent['actor'] =>
  id !== null && name !== null ? { id, name } : null
