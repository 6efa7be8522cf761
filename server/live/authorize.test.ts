import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import type { EventKind, Notice, Signal } from '@/server/events'
import { catalogue } from '@/server/events/catalogue'
import { makeHook } from '@/server/hooks/delivery/testing/queue'
import { authorizeStreams } from './authorize'
import type { Entry } from './recent'
import type { Topic } from './schema'
import { keptStream, signIn } from './testing/streams'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const now = new Date('2026-01-01T00:00:00Z')
const expiresAt = new Date(now.getTime() + 1_000)

const account: Topic = { topic: 'account' }
const wholeSite: Topic = { topic: 'site' }
const organization = ({ id }: { id: number }): Topic => ({ topic: 'organization', id })
const hook = ({ id }: { id: number }): Topic => ({ topic: 'hook', id })
const repository = ({ id }: { id: number }): Topic => ({ topic: 'repository', id })

type Kind = EventKind | Notice['kind']
const byEverybody: Kind[] = ['org.created', 'org.deleted', 'org.edited', 'org.renamed']
const byMembers: Kind[] = [
  ...(['team.created', 'team.deleted', 'team.edited', 'team.member_added'] as const),
  ...(['team.member_removed', 'team.repository_added', 'team.repository_removed'] as const),
  'org.member_added',
  'org.member_concealed',
  'org.member_published',
  'org.member_removed',
  'repository.given_away',
  'transfer.changed',
]
const bySeers: Kind[] = [
  'repository.created',
  'repository.edited',
  'repository.transferred',
  ...(['repository.transfer_canceled', 'repository.transfer_declined'] as const),
  'repository.transfer_requested',
]
const byReaders: Kind[] = ['git.pushed', 'ref.created', 'ref.deleted', 'refs.changed']
const byReleaseReaders: Kind[] = [
  'release.deleted',
  'release.published',
  'release.unpublished',
  'release.updated',
]
// For changed drafts.
const byReleaseWriters: Kind[] = ['release.changed']
// Only on pages about runs.
const byRunReaders: Kind[] = [
  ...(['workflow.disabled', 'workflow.enabled'] as const),
  ...(['job.blocked', 'job.completed', 'job.queued', 'job.started'] as const),
  ...(['run.changed', 'run.completed', 'run.created', 'run.deleted', 'run.retried', 'run.started'] as const),
]
// The tabs on a repository's pages show the number of its runs.
const countedRuns: Kind[] = ['run.created', 'run.deleted']
const byManagers: Kind[] = ['hook.changed', 'variables.changed', 'runner.changed', 'event.considered']
const byAdministrators: Kind[] = [
  'collaborator.added',
  'collaborator.removed',
  'deploy_key.added',
  'deploy_key.removed',
]
const hookEvents: Kind[] = ['hook.added', 'hook.edited', 'hook.disabled', 'hook.removed']
const runnerEvents: Kind[] = [
  ...(['runner.registered', 'runner.edited', 'runner.disabled'] as const),
  ...(['runner.enabled', 'runner.deleted', 'runner.token_reset'] as const),
]
const variableEvents: Kind[] = [
  ...(['secret.added', 'secret.edited', 'secret.removed'] as const),
  ...(['variable.added', 'variable.edited', 'variable.removed'] as const),
]
const byOwners: Kind[] = [
  'permissions.edited',
  ...byAdministrators,
  ...byManagers,
  ...hookEvents,
  ...runnerEvents,
  ...variableEvents,
  'repository.deleted',
]
const byWriters = [...bySeers, ...byReaders, ...byReleaseReaders, ...byReleaseWriters]
const inRepository = [...byWriters, ...byAdministrators, ...byManagers]
const ofSessions: Kind[] = ['password.changed', 'session.opened', 'session.ended']
const ofKeys: Kind[] = ['token.created', 'token.removed', 'key.added', 'key.removed']
const ofPeople: Kind[] = ['user.created', 'user.edited', 'user.deleted', 'user.blocked', 'user.unblocked']
const ofAccounts = [
  ...ofSessions,
  ...ofKeys,
  ...ofPeople,
  ...hookEvents,
  ...runnerEvents,
  ...variableEvents,
  ...byManagers,
  'repository.deleted' as const,
  'repository.given_away' as const,
  'transfer.changed' as const,
]

const everyEvent = Object.keys(catalogue) as EventKind[]

/** Kinds of events that each role is notified of, for the organization and for its private repository. */
const expected: Record<
  string,
  { isInside: boolean; organization: Kind[]; repository: Kind[]; readsRuns?: true }
> = {
  anonymous: { isInside: false, organization: byEverybody, repository: [] },
  outsider: { isInside: false, organization: byEverybody, repository: [] },
  collaborator: {
    isInside: false,
    organization: [...byEverybody, ...bySeers, ...byReaders, ...byReleaseReaders],
    repository: [...bySeers, ...byReaders, ...byReleaseReaders],
    readsRuns: true,
  },
  member: { isInside: true, organization: [...byEverybody, ...byMembers], repository: [] },
  'of a team that sees issues': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...bySeers],
    repository: bySeers,
  },
  'of a team that reads code': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...bySeers, ...byReaders],
    repository: [...bySeers, ...byReaders],
  },
  'of a team that reads releases': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...bySeers, ...byReleaseReaders],
    repository: [...bySeers, ...byReleaseReaders],
  },
  'of a team that writes releases': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...bySeers, ...byReleaseReaders, ...byReleaseWriters],
    repository: [...bySeers, ...byReleaseReaders, ...byReleaseWriters],
  },
  'of a team that reads runs': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...bySeers],
    repository: bySeers,
    readsRuns: true,
  },
  owner: {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...byWriters, ...byOwners],
    repository: inRepository,
    readsRuns: true,
  },
  'site administrator': {
    isInside: true,
    organization: [...byEverybody, ...byMembers, ...byWriters, ...byOwners],
    repository: inRepository,
    readsRuns: true,
  },
}

async function makeCast(visibility: 'public' | 'private') {
  const { db } = open
  const owner = await makeUser(db)
  const org = await makeOrg(db, owner.id, { visibility })
  const repo = await makeRepository(db, org.id, { is_private: true })
  const people: Record<string, number | undefined> = { anonymous: undefined, owner: owner.id }
  for (const role of Object.keys(expected)) {
    if (role in people) continue
    people[role] = (await makeUser(db, { is_admin: role === 'site administrator' })).id
  }
  const idOf = (role: string) => people[role]!
  await addToOrg(db, org.id, idOf('member'))
  const teams = {
    'sees issues': { 'repo.issues': 'read' },
    'reads code': { 'repo.code': 'read' },
    'reads releases': { 'repo.releases': 'read' },
    'writes releases': { 'repo.releases': 'write' },
    'reads runs': { 'repo.actions': 'read' },
  } as const
  for (const [may, units] of Object.entries(teams)) {
    const team = await makeTeam(db, org.id, { mode: 'read' }, units)
    await attach(db, team, repo.id)
    await addToTeam(db, team, idOf(`of a team that ${may}`))
  }
  await db
    .insertInto('repository_collaborators')
    .values({ repository_id: repo.id, user_id: idOf('collaborator'), mode: 'read' })
    .execute()
  const hooks = [
    await makeHook(db, { scope: 'owner', owner_id: org.id }),
    await makeHook(db, { scope: 'repository', repository_id: repo.id }),
    await makeHook(db),
  ]
  return { org, repo, people, hooks }
}

it.each(['public', 'private'] as const)(
  'live updates notify viewers only of what they can see in a %s organization',
  async visibility => {
    const { org, repo, people, hooks } = await makeCast(visibility)
    const stranger = await makeUser(open.db)
    const ofHooks = hooks.map(hook)
    const [ofOrg, ofRepo] = [organization(org), repository(repo)]
    const ofRun: Topic = { topic: 'run', id: 1, repository: repo.id }
    const ofRuns: Topic = { topic: 'runs', id: repo.id }
    const ofStatuses: Topic = { topic: 'statuses', id: repo.id }
    const topics = [account, wholeSite, ofOrg, ofRepo, ofRuns, ofRun, ofStatuses, ...ofHooks]
    const signals: Signal[] = []
    for (const [kind, { subject }] of Object.entries(catalogue) as [EventKind, { subject: string }][]) {
      const repositoryId = subject === 'repository' ? repo.id : null
      const own = ofAccounts.includes(kind) ? Object.values(people) : []
      for (const ownerId of [org.id, stranger.id, ...own]) {
        if (ownerId !== undefined) signals.push({ id: 1, kind, ownerId, repositoryId })
      }
    }
    signals.push({ kind: 'release.changed', isDraft: true, ownerId: org.id, repositoryId: repo.id })
    signals.push({ kind: 'run.changed', runId: 1, repositoryId: repo.id })
    signals.push({ kind: 'status.changed', repositoryId: repo.id })
    signals.push({ kind: 'log.appended', taskId: 1, runId: 1, repositoryId: repo.id })
    for (const [index, { id: hookId }] of hooks.entries()) {
      const subject = { ownerId: index < 2 ? org.id : null, repositoryId: index === 1 ? repo.id : null }
      signals.push({ kind: 'hook.delivery_changed', hookId })
      signals.push({ kind: 'hook.changed', hookId, ...subject })
    }
    const ofRepository = { ownerId: null, repositoryId: repo.id }
    signals.push({ kind: 'runner.changed', runnerId: 1, ...ofRepository })
    signals.push({ kind: 'variables.changed', ownerId: null, repositoryId: null })
    signals.push({ kind: 'variables.changed', ownerId: org.id, repositoryId: repo.id })
    for (const ownerId of [org.id, ...Object.values(people)]) {
      if (ownerId === undefined) continue
      const cursor = { ownerId, repositoryId: ownerId === org.id ? repo.id : null }
      signals.push({ kind: 'event.considered', ...cursor })
      signals.push({ kind: 'runner.changed', runnerId: 1, ownerId, repositoryId: null })
      signals.push({ kind: 'variables.changed', ownerId, repositoryId: null })
      signals.push({ kind: 'transfer.changed', ownerId, repositoryId: null })
      if (ownerId !== org.id) signals.push({ kind: 'hook.changed', hookId: 0, ...cursor })
    }
    const entries = signals.map((signal): Entry => ({ cursor: signal.kind, signal }))
    const streams = new Map<string, ReturnType<typeof keptStream>>()
    for (const [role, id] of Object.entries(people)) {
      streams.set(
        role,
        keptStream(id === undefined ? undefined : await signIn(open.db, id, expiresAt), topics),
      )
    }
    await authorizeStreams(
      open.db,
      new Map([...streams.values()].map(({ stream }) => [stream, { entries, all: true }])),
      now,
    )

    for (const [role, { sent }] of streams) {
      const notifiedOf = (topic: Topic) => {
        const ofTopic = sent.filter(({ message }) => message.type === 'changed' && message.topic === topic)
        return [...new Set(ofTopic.map(({ cursor }) => cursor))].sort()
      }
      const { isInside, readsRuns, organization: ofOrganization, repository: ofRepository } = expected[role]!
      const may = { owner: ofHooks.slice(0, 2), 'site administrator': ofHooks }[role] ?? []
      const seesIt = visibility === 'public' || isInside
      const isAdmin = role === 'site administrator'
      const readsCode = byReaders.every(kind => ofRepository.includes(kind))
      // Changes to the viewer's own account can affect every page.
      const own: Kind[] = people[role] ? ['user.edited'] : []
      expect({
        role,
        account: notifiedOf(account),
        site: notifiedOf(wholeSite),
        organization: notifiedOf(ofOrg),
        repository: notifiedOf(ofRepo),
        runs: notifiedOf(ofRuns),
        run: notifiedOf(ofRun),
        statuses: notifiedOf(ofStatuses),
        hooks: ofHooks.map(notifiedOf),
        ended: sent.flatMap(({ message }) => (message.type === 'ended' ? [message.topic] : [])),
      }).toEqual({
        role,
        account: people[role] ? [...ofAccounts].sort() : [],
        site: isAdmin ? [...everyEvent, ...byManagers].sort() : [],
        organization: seesIt ? [...ofOrganization, ...own].sort() : [],
        repository:
          ofRepository.length > 0 ? [...ofRepository, ...(readsRuns ? countedRuns : []), ...own].sort() : [],
        runs: readsRuns ? [...byRunReaders, ...own].sort() : [],
        run: readsRuns ? ['log.appended', ...own] : [],
        statuses: readsCode ? ['status.changed', ...own] : [],
        hooks: ofHooks.map(topic =>
          may.includes(topic) ? ['hook.changed', 'hook.delivery_changed', ...own] : [],
        ),
        ended: [
          ...(people[role] ? [] : [account]),
          ...(isAdmin ? [] : [wholeSite]),
          ...(seesIt ? [] : [ofOrg]),
          ...(ofRepository.length > 0 ? [] : [ofRepo]),
          ...(readsRuns ? [] : [ofRuns, ofRun]),
          ...(readsCode ? [] : [ofStatuses]),
          ...ofHooks.filter(topic => !may.includes(topic)),
        ],
      })
    }
  },
)

it('a live update stream that follows a run under the wrong repository is not notified of its log', async () => {
  const owner = await makeUser(open.db)
  const own = await makeRepository(open.db, owner.id)
  const hidden = await makeRepository(open.db, (await makeUser(open.db)).id, { is_private: true })
  const topic: Topic = { topic: 'run', id: 1, repository: own.id }
  const { stream, sent } = keptStream(await signIn(open.db, owner.id, expiresAt), [topic])
  const signal = (id: number): Signal => ({ kind: 'log.appended', taskId: 1, runId: 1, repositoryId: id })
  const entries = [hidden, own].map(({ id }): Entry => ({ cursor: String(id), signal: signal(id) }))
  await authorizeStreams(open.db, new Map([[stream, { entries, all: false }]]), now)
  expect(sent).toEqual([{ message: { type: 'changed', topic }, cursor: String(own.id) }])
})

it.each([
  ['with a signedOut message when the session has expired', 1_000, {}, [{ type: 'signedOut' }]],
  [
    'with a signedOut message when the account is disabled',
    0,
    { prohibit_login: true },
    [{ type: 'signedOut' }],
  ],
  [
    'without a message when the password must be changed, because the session continues',
    0,
    { must_change_password: true },
    [],
  ],
])('a live update stream ends %s', async (_, afterMs, overrides, messages) => {
  const { id } = await makeUser(open.db, overrides)
  const { stream, sent, isOver } = keptStream(await signIn(open.db, id, expiresAt), [account])
  const at = new Date(now.getTime() + afterMs)
  await authorizeStreams(open.db, new Map([[stream, { entries: [], all: false }]]), at)
  expect(sent.map(({ message }) => message)).toEqual(messages)
  expect(isOver()).toBe(true)
})

it('live updates notify a person who is added to or removed from a team, but no one else outside the organization', async () => {
  const { db } = open
  const owner = await makeUser(db)
  const org = await makeOrg(db, owner.id, { visibility: 'private' })
  const [added, other] = [await makeUser(db), await makeUser(db)]
  const signals: Signal[] = [
    { id: 1, kind: 'team.member_added', ownerId: org.id, repositoryId: null, personId: added.id },
    { id: 2, kind: 'team.member_removed', ownerId: org.id, repositoryId: null, personId: added.id },
  ]
  const entries = signals.map((signal): Entry => ({ cursor: '1', signal }))
  const [ofAdded, ofOther] = [
    keptStream(await signIn(db, added.id, expiresAt), [account]),
    keptStream(await signIn(db, other.id, expiresAt), [account, organization(org)]),
  ]
  const work = { entries, all: true }
  await authorizeStreams(
    db,
    new Map([
      [ofAdded.stream, work],
      [ofOther.stream, work],
    ]),
    now,
  )
  expect(ofAdded.sent.map(({ message }) => message)).toEqual(
    signals.map(() => ({ type: 'changed', topic: account })),
  )
  expect(ofOther.sent.map(({ message }) => message)).toEqual([{ type: 'ended', topic: organization(org) }])
})

it.each([
  ['public', ['user.edited', 'repository.created'], ['user.edited', 'repository.created']],
  ['limited', [], ['user.edited', 'repository.created']],
  ['private', [], []],
] as const)(
  'the page of a %s person notifies viewers who can see the person of profile changes and of repositories that they can see',
  async (visibility, anonymously, signedIn) => {
    const { db } = open
    const person = await makeUser(db, { visibility })
    const shown = await makeRepository(db, person.id)
    const hidden = await makeRepository(db, person.id, { is_private: true })
    const cursor = { ownerId: person.id, repositoryId: null }
    const signals: Signal[] = [
      { id: 1, kind: 'user.edited', ...cursor },
      { id: 2, kind: 'key.added', ...cursor },
      { id: 3, kind: 'session.opened', ...cursor },
      { id: 4, kind: 'repository.created', ownerId: person.id, repositoryId: shown.id },
      { id: 5, kind: 'repository.edited', ownerId: person.id, repositoryId: hidden.id },
      { kind: 'runner.changed', runnerId: 1, ...cursor },
      { kind: 'variables.changed', ...cursor },
      { kind: 'event.considered', ...cursor },
    ]
    const entries = signals.map((signal): Entry => ({ cursor: signal.kind, signal }))
    const topic: Topic = { topic: 'person', id: person.id }
    for (const [session, kinds] of [
      [undefined, anonymously],
      [await signIn(db, (await makeUser(db)).id, expiresAt), signedIn],
    ] as const) {
      const { stream, sent } = keptStream(session, [topic])
      await authorizeStreams(db, new Map([[stream, { entries, all: true }]]), now)
      const changes = sent.filter(({ message }) => message.type === 'changed')
      expect(changes.map(({ cursor }) => cursor)).toEqual(kinds)
      expect(sent.some(({ message }) => message.type === 'ended')).toBe(kinds.length === 0)
    }
  },
)
