import type { Db } from '@/db/client'
import {
  accessByIdOf,
  type OrganizationRef,
  type RepositoryRef,
  type Subject,
  subjectFor,
} from '@/server/access'
import { findSessionHolders, type SessionHolder } from '@/server/auth/credentials/session'
import type { EventKind, EventSignal, Notice } from '@/server/events'
import { concernsAccessOf } from './losses'
import { canReceive, mayFollow, type Rights } from './policy'
import type { Entry } from './recent'
import type { Topic } from './schema'
import { selectHooks, selectOrganizations, selectPeople, selectRepositories } from './store'
import type { Stream } from './stream'

/** Pending work for a stream: signals to deliver if its viewer is allowed to receive them. */
export interface Work {
  entries: Entry[]
  /** Whether to check access to every topic, not only to those of the entries. */
  all: boolean
}

// Accounts per batch; requests run in between.
const portion = 100

/**
 * Sends streams their pending signals, limited to what their viewers are allowed to receive. Ends topics that
 * a viewer can no longer access, and streams whose session has ended. Access is checked once per account for
 * all of its streams.
 */
export async function authorizeStreams(db: Db, due: ReadonlyMap<Stream, Work>, now: Date): Promise<void> {
  const sessions = [...due.keys()].flatMap(({ viewer }) => viewer.session?.id ?? [])
  const holders = await findSessionHolders(db, [...new Set(sessions)], now)
  const groups = new Map<number, Group>()
  for (const [stream, { entries, all }] of due) {
    const { session } = stream.viewer
    const holder = session && holders.get(session.id)
    if (session && (!holder || holder.must_change_password)) {
      // The page learns that a password change is required when it reopens the stream.
      if (!holder) stream.send({ type: 'signedOut' })
      stream.end()
      continue
    }
    const concerned = entries.flatMap(entry => concern(stream, entry))
    const asked = new Map(all ? stream.topics : concerned.map(({ key, topic }) => [key, topic]))
    const group = groups.get(holder?.id ?? 0) ?? newGroup(holder)
    groups.set(holder?.id ?? 0, group)
    group.streams.push({ stream, asked, concerned })
    for (const topic of asked.values()) {
      if (topic.topic === 'run') group.about.repository.add(topic.repository)
      else if (topic.topic === 'runs' || topic.topic === 'statuses') group.about.repository.add(topic.id)
      else if ('id' in topic) group.about[topic.topic].add(topic.id)
    }
    for (const { signal } of concerned) {
      if ('repositoryId' in signal && signal.repositoryId !== null)
        group.about.repository.add(signal.repositoryId)
      if ('ownerId' in signal && signal.ownerId !== null) group.about.organization.add(signal.ownerId)
    }
    sendMissed(stream, entries)
  }
  const all = [...groups.values()]
  const found = await findAll(db, all)
  for (let at = 0; at < all.length; at += portion) {
    const some = all.slice(at, at + portion)
    const subjects = some.map(({ subject }) => subject)
    const accessById = await accessByIdOf(db, subjects, found)
    for (const [index, { subject, streams }] of some.entries()) {
      const rights = { subject, hooks: found.hooks, people: found.people, ...accessById[index]! }
      for (const one of streams) send(one, rights)
    }
  }
}

function send({ stream, asked, concerned }: PendingStream, rights: Rights): void {
  for (const [key, topic] of asked) {
    if (mayFollow(topic, rights)) continue
    stream.topics.delete(key)
    stream.send({ type: 'ended', topic })
  }
  for (const { cursor, key, topic, signal } of concerned) {
    if (!stream.topics.has(key) || !canReceive(topic, signal, rights)) continue
    stream.send({ type: 'changed', topic }, cursor)
  }
  if (stream.topics.size === 0) stream.end()
}

/** A signal about one of a stream's topics. */
interface Concern {
  cursor: string
  key: string
  topic: Topic
  signal: EventSignal | Notice
}

/** What to check for one stream. */
interface PendingStream {
  stream: Stream
  /** Topics to check access to, by key. */
  asked: ReadonlyMap<string, Topic>
  concerned: readonly Concern[]
}

/** The streams of one account or of all anonymous viewers, with the IDs of everything to check access to. */
interface Group {
  subject: Subject
  streams: PendingStream[]
  about: Record<'organization' | 'person' | 'repository' | 'hook', Set<number>>
}

const newGroup = (holder: SessionHolder | undefined): Group => ({
  subject: holder ? subjectFor(holder) : { kind: 'anonymous' },
  streams: [],
  about: { organization: new Set(), person: new Set(), repository: new Set(), hook: new Set() },
})

/** Loads the data that all groups need for their access checks, with one set of queries. */
async function findAll(db: Db, groups: readonly Group[]): Promise<Found> {
  const idsOf = (what: keyof Group['about']): number[] => groups.flatMap(({ about }) => [...about[what]])
  const unique = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter(id => id !== null))]
  const hooks = await selectHooks(db, unique(idsOf('hook')))
  const orgIds = [...idsOf('organization'), ...hooks.map(({ ownerId }) => ownerId)]
  const repositoryIds = [...idsOf('repository'), ...hooks.map(({ repositoryId }) => repositoryId)]
  return {
    hooks: new Map(hooks.map(hook => [hook.id, hook])),
    people: await selectPeople(db, unique(idsOf('person'))),
    organizations: await selectOrganizations(db, unique(orgIds)),
    repositories: await selectRepositories(db, unique(repositoryIds)),
  }
}

interface Found {
  hooks: Rights['hooks']
  people: Rights['people']
  organizations: OrganizationRef[]
  repositories: RepositoryRef[]
}

function concern(stream: Stream, { cursor, signal }: Entry): Concern[] {
  if (signal.kind === 'missed') return []
  const isOwn = concernsAccessOf(stream.viewer.session?.accountId, signal)
  return (isOwn ? [...stream.topics.keys()] : keysOf(signal)).flatMap(key => {
    const topic = stream.topics.get(key)
    return topic ? [{ cursor, key, topic, signal }] : []
  })
}

function sendMissed(stream: Stream, entries: readonly Entry[]): void {
  for (const { cursor, signal } of entries) {
    if (signal.kind === 'missed') stream.send({ type: 'resync', topics: [...stream.topics.values()] }, cursor)
  }
}

/** Returns the key of a topic, under which its followers are registered. */
export function keyOf(topic: Topic, accountId: number | undefined): string {
  switch (topic.topic) {
    case 'account':
    case 'notifications':
      return `${topic.topic}:${accountId ?? 0}`
    case 'site':
      return 'site'
    default:
      return `${topic.topic}:${topic.id}`
  }
}

/** Returns the keys of the topics that a signal concerns. */
export function keysOf(signal: EventSignal | Notice): string[] {
  if (signal.kind === 'hook.delivery_changed') return [`hook:${signal.hookId}`]
  if (signal.kind === 'jobs.queued' || signal.kind === 'calls.waiting') return []
  if (signal.kind === 'log.appended') return [`run:${signal.runId}`]
  if (signal.kind === 'run.changed') return [`runs:${signal.repositoryId}`]
  if (signal.kind === 'status.changed') return [`statuses:${signal.repositoryId}`]
  if (signal.kind === 'notifications.changed') return [`notifications:${signal.ownerId}`]
  const { kind, ownerId, repositoryId } = signal
  const site = isForSite(signal) ? ['site'] : []
  if (isOfRuns(kind)) {
    // The tabs on a repository's pages show the number of its runs.
    const isCounted = kind === 'run.created' || kind === 'run.deleted'
    return [...site, `runs:${repositoryId}`, ...(isCounted ? [`repository:${repositoryId}`] : [])]
  }
  // Open pages are notified by `status.changed`.
  if (kind === 'status.created') return site
  return [
    ...site,
    ...(kind === 'hook.changed' ? [`hook:${signal.hookId}`] : []),
    ...(ownerId === null ? [] : [`account:${ownerId}`, `organization:${ownerId}`, `person:${ownerId}`]),
    // A notification of an offer disappears with the offer.
    ...(kind === 'transfer.changed' ? [`notifications:${ownerId}`] : []),
    ...('personId' in signal ? [`account:${signal.personId}`] : []),
    ...(repositoryId === null ? [] : [`repository:${repositoryId}`]),
  ]
}

const isOfRuns = (kind: EventKind | Notice['kind']): boolean => /^(run|job|workflow)\./.test(kind)

// The site's pages show every event and every runner, but only the site's own hooks and variables.
function isForSite(signal: EventSignal | ScopedNotice): boolean {
  if ('id' in signal) return true
  if (signal.kind === 'hook.changed' || signal.kind === 'variables.changed') return signal.ownerId === null
  return signal.kind === 'event.considered' || signal.kind === 'runner.changed'
}

type ScopedNotice = Extract<Notice, { ownerId: number | null; repositoryId: number | null }>
