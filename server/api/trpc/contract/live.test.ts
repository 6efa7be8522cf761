import type { Insertable } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HooksTable } from '@/db/tables/hooks'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { hubOf, type Signal } from '@/server/events'
import { catalogue, type EventKind } from '@/server/events/catalogue'
import { recordEvent } from '@/server/events/record'
import type { LiveMessage, Topic } from '@/server/live/schema'
import { type Browser, signIn } from '@/testing/browser'
import { follow, type LiveStream } from '@/testing/live-stream'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

type Options = Parameters<typeof follow>[2]

async function followAs(
  person: Person | undefined,
  topics: Topic[],
  options: Options = {},
): Promise<LiveStream> {
  const cookie = options.cookie ?? (person ? (await signIn(site, person)).cookie : '')
  const stream = await follow(site.url, topics, { cookie, userId: person?.account.id, ...options })
  onTestFinished(() => stream.close())
  await stream.told(({ messages, error }) => messages.length > 0 || error)
  return stream
}

const tell = (...signals: Signal[]) => hubOf(site.db).tell(signals)
const orgEdited = (id: number) => ({ id: 1, kind: 'org.edited', ownerId: id, repositoryId: null }) as const
const changes = ({ messages }: LiveStream) => messages.filter(message => message.type === 'changed')
const isAbout = (id: number) => (message: LiveMessage) =>
  message.type === 'changed' && message.topic.topic === 'organization' && message.topic.id === id
const ended = ({ messages }: LiveStream) =>
  messages.flatMap(message => (message.type === 'ended' ? [message.topic] : []))
const account: Topic = { topic: 'account' }
const organization = ({ id }: { id: number }): Topic => ({ topic: 'organization', id })
const hook = ({ id }: { id: number }): Topic => ({ topic: 'hook', id })
const repository = ({ id }: { id: number }): Topic => ({ topic: 'repository', id })

async function makeAnyOrg(overrides: Parameters<typeof makeOrg>[2] = {}) {
  return await makeOrg(site.db, (await makePerson(site)).account.id, overrides)
}

describe('a stream', () => {
  it('tells what happens from then on, and nothing of what it was', async () => {
    const org = await makeAnyOrg()
    const stream = await followAs(undefined, [organization(org)])
    expect(stream.messages).toEqual([{ type: 'following' }])
    await withTransaction(site.db, trx =>
      recordEvent(
        trx,
        { actorId: null, remoteAddress: '192.0.2.1', requestId: 'x' },
        { kind: 'org.renamed', ownerId: org.id, facts: { orgId: org.id, from: 'old', to: 'new' } },
      ),
    )
    await stream.told(({ messages }) => messages[1])
    expect(stream.messages[1]).toEqual({ type: 'changed', topic: organization(org), kind: 'org.renamed' })
  })

  it('may be kept in no cache, and is not held back or compressed on the way', async () => {
    const { status, headers } = await followAs(undefined, [organization(await makeAnyOrg())])
    const told = ['content-type', 'cache-control', 'x-accel-buffering'].map(name => headers.get(name))
    expect([status, ...told]).toEqual([200, 'text/event-stream', 'private, no-cache, no-transform', 'no'])
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': '' }],
  ])('is for pages of this site alone: %o', async headers => {
    const org = await makeAnyOrg()
    const stream = await followAs(undefined, [organization(org)], { headers })
    expect([stream.messages, stream.error?.data.kind]).toEqual([[], 'forbidden'])
    const input = encodeURIComponent(JSON.stringify({ topics: [organization(org)], viewer: 'nobody' }))
    const spelled = await fetch(`${site.url}/api/trpc/live%2Efollow?input=${input}`, { headers })
    expect(await spelled.text()).toContain('"kind":"methodNotAllowed"')
  })

  it('is refused where the page was rendered for somebody else', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const stream = await followAs(ben, [account], { userId: ada.account.id })
    expect(stream.error?.data).toMatchObject({ kind: 'viewerChanged', viewer: ben.name })
    const nobody = await followAs(undefined, [account], { userId: ada.account.id })
    expect(nobody.error?.data).toMatchObject({ kind: 'viewerChanged', viewer: null })
  })

  it.each([
    ['no topics', []],
    ['too many topics', Array.from({ length: 31 }, (_, id) => organization({ id: id + 1 }))],
    ['a topic that is none', [{ topic: 'world' } as never]],
    ['an id that is none', [organization({ id: -1 })]],
  ])('is refused with %s', async (_, topics) => {
    expect((await followAs(undefined, topics)).error?.data.kind).toBe('invalid')
  })

  it('is one of 20 of an account at most; a closed one makes room', async () => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    const streams: LiveStream[] = []
    for (let count = 0; count < 20; count++) streams.push(await followAs(ada, [account], { cookie }))
    expect((await followAs(ada, [account], { cookie })).error?.data.kind).toBe('tooManyRequests')
    expect((await followAs(await makePerson(site), [account])).error).toBeUndefined()
    streams[0]!.close()
    await vi.waitFor(async () => expect((await followAs(ada, [account], { cookie })).error).toBeUndefined())
  })
})

describe('a stream that was interrupted', () => {
  it('goes on with what it missed', async () => {
    const org = await makeAnyOrg()
    const first = await followAs(undefined, [organization(org)])
    tell(orgEdited(org.id))
    await first.told(({ messages }) => messages[1])
    first.close()
    await first.over
    tell({ ...orgEdited(org.id), kind: 'org.renamed' }, orgEdited(org.id + 1_000_000))
    const second = await followAs(undefined, [organization(org)], { after: first.lastEventId })
    await second.told(({ messages }) => messages[1])
    expect(changes(second)).toEqual([{ type: 'changed', topic: organization(org), kind: 'org.renamed' }])
    const third = await followAs(undefined, [organization(org)], { after: second.lastEventId })
    tell(orgEdited(org.id))
    await third.told(({ messages }) => messages[1])
    expect(changes(third)).toMatchObject([{ kind: 'org.edited' }])
  })

  it('misses nothing that happened since its page was rendered', async () => {
    const org = await makeAnyOrg()
    const place = (await (await signIn(site, await makePerson(site))).query('live.getPlace')).data
    tell(orgEdited(org.id))
    const stream = await followAs(undefined, [organization(org)], { after: place })
    await stream.told(({ messages }) => messages.find(isAbout(org.id)))
  })

  it.each(['0a1b2c3d.5.1000', 'nonsense', ''])('is told to fetch everything anew after %j', async after => {
    const topics = [organization(await makeAnyOrg()), organization(await makeAnyOrg())]
    const stream = await followAs(undefined, topics, { after })
    await stream.told(({ messages }) => messages[1])
    expect(stream.messages).toEqual([{ type: 'following' }, { type: 'resync', topics }])
  })

  it('is told so too where other processes told something that was missed', async () => {
    const org = await makeAnyOrg()
    const topics = [organization(org)]
    const stream = await followAs(undefined, topics)
    tell({ kind: 'missed', what: 'notices' }, orgEdited(org.id), { kind: 'missed', what: 'everything' })
    await stream.told(({ messages }) => messages[2])
    expect(stream.messages.slice(1)).toEqual(
      expect.arrayContaining([
        { type: 'resync', topics },
        { type: 'changed', topic: topics[0], kind: 'org.edited' },
      ]),
    )
    expect(stream.messages).toHaveLength(3)
  })
})

describe('who lost the right', () => {
  it('to an organization is told nothing more of it, and that it ended', async () => {
    const [org, other] = [await makeAnyOrg({ visibility: 'private' }), await makeAnyOrg()]
    const ada = await makePerson(site)
    await addToOrg(site.db, org.id, ada.account.id)
    const stream = await followAs(ada, [organization(org), organization(other)])
    tell(orgEdited(org.id))
    await stream.told(({ messages }) => messages.find(isAbout(org.id)))
    await site.db.deleteFrom('organization_members').where('user_id', '=', ada.account.id).execute()
    tell({ ...orgEdited(org.id), kind: 'org.renamed' })
    await stream.told(found => ended(found).length > 0)
    tell(orgEdited(org.id), orgEdited(other.id))
    await stream.told(({ messages }) => messages.find(isAbout(other.id)))
    expect(ended(stream)).toEqual([organization(org)])
    expect(changes(stream).map(({ topic, kind }) => [topic, kind])).toEqual([
      [organization(org), 'org.edited'],
      [organization(other), 'org.edited'],
    ])
  })

  it.each<[string, (person: Person, browser: Browser) => Promise<unknown>]>([
    ['signing out', (_, browser) => browser.mutate('sessions.signOut')],
    [
      'ending the session elsewhere',
      async person => {
        const elsewhere = await signIn(site, person)
        return await elsewhere.mutate('sessions.revokeOthers')
      },
    ],
    [
      'being prohibited from signing in',
      async person => {
        const admin = await signIn(site, await makePerson(site, { is_admin: true }))
        return await admin.mutate('users.edit', { username: person.name, prohibit_login: true })
      },
    ],
  ])('by %s is told so, and the stream ends', async (_, loseIt) => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const org = await makeAnyOrg()
    const stream = await followAs(ada, [organization(org)], { cookie: browser.cookie })
    await loseIt(ada, browser)
    await stream.over
    expect(stream.messages).toEqual([{ type: 'following' }, { type: 'signedOut' }])
  })
})

describe('nobody is told of what they may not see', () => {
  const byEverybody: EventKind[] = ['org.created', 'org.deleted', 'org.edited', 'org.renamed']
  const byMembers: EventKind[] = [
    'org.member_added',
    'org.member_concealed',
    'org.member_published',
    'org.member_removed',
  ]
  const bySeers: EventKind[] = ['release.published', 'repository.created', 'repository.edited']
  const byReaders: EventKind[] = ['git.pushed', 'ref.created', 'ref.deleted', 'refs.changed']
  const byAdministrators: EventKind[] = ['collaborator.added', 'collaborator.removed']
  const teams: EventKind[] = ['team.created', 'team.deleted', 'team.edited', 'team.member_added']
  const moreOfTeams: EventKind[] = ['team.member_removed', 'team.repository_added', 'team.repository_removed']
  const hooks: EventKind[] = ['hook.added', 'hook.edited', 'hook.disabled', 'hook.removed']
  const byOwners: EventKind[] = [
    ...byAdministrators,
    ...hooks,
    'repository.deleted',
    ...teams,
    ...moreOfTeams,
  ]
  const inRepository = [...bySeers, ...byReaders, ...byAdministrators]
  const ofSessions: EventKind[] = ['password.changed', 'session.opened', 'session.ended']
  const ofKeys: EventKind[] = ['token.created', 'token.removed', 'key.added', 'key.removed']
  const ofPeople: EventKind[] = [
    'user.created',
    'user.edited',
    'user.deleted',
    'user.blocked',
    'user.unblocked',
  ]
  const ofAccounts = [...ofSessions, ...ofKeys, ...ofPeople, ...hooks, 'repository.deleted' as const]

  /** What each may learn of the organization, and of its private repository. */
  const expected: Record<string, { isInside: boolean; organization: EventKind[]; repository: EventKind[] }> =
    {
      anonymous: { isInside: false, organization: byEverybody, repository: [] },
      outsider: { isInside: false, organization: byEverybody, repository: [] },
      collaborator: {
        isInside: false,
        organization: [...byEverybody, ...bySeers, ...byReaders],
        repository: [...bySeers, ...byReaders],
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
      owner: {
        isInside: true,
        organization: [...byEverybody, ...byMembers, ...bySeers, ...byReaders, ...byOwners],
        repository: inRepository,
      },
      'site administrator': {
        isInside: true,
        organization: [...byEverybody, ...byMembers, ...bySeers, ...byReaders, ...byOwners],
        repository: inRepository,
      },
    }

  async function makeHook(place: Pick<Insertable<HooksTable>, 'scope' | 'owner_id' | 'repository_id'>) {
    const [url, events] = [Buffer.from('sealed'), ['push']]
    return await site.db
      .insertInto('hooks')
      .values({ ...place, type: 'gitea', url_sealed: url, target: 'x.test', content_type: 'json', events })
      .returning('id')
      .executeTakeFirstOrThrow()
  }

  async function makeCast(visibility: 'public' | 'private') {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id, { visibility })
    const repo = await makeRepository(site.db, org.id, { is_private: true })
    const people: Record<string, Person | undefined> = { anonymous: undefined, owner }
    for (const role of Object.keys(expected)) {
      if (role in people) continue
      people[role] = await makePerson(site, { is_admin: role === 'site administrator' })
    }
    const idOf = (role: string) => people[role]!.account.id
    await addToOrg(site.db, org.id, idOf('member'))
    for (const unit of ['repo.issues', 'repo.code'] as const) {
      const team = await makeTeam(site.db, org.id, { mode: 'read' }, { [unit]: 'read' })
      await attach(site.db, team, repo.id)
      const role = unit === 'repo.code' ? 'of a team that reads code' : 'of a team that sees issues'
      await addToTeam(site.db, team, idOf(role))
    }
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repo.id, user_id: idOf('collaborator'), mode: 'read' })
      .execute()
    const [ofOrg, ofRepo, ofSite] = [
      await makeHook({ scope: 'owner', owner_id: org.id }),
      await makeHook({ scope: 'repository', repository_id: repo.id }),
      await makeHook({ scope: 'system' }),
    ]
    return { org, repo, people, hooks: { ofOrg, ofRepo, ofSite } }
  }

  it.each(['public', 'private'] as const)('in a %s organization', async visibility => {
    const { org, repo, people, hooks } = await makeCast(visibility)
    const [stranger, fence] = [await makePerson(site), await makeAnyOrg()]
    const ofHooks = [hook(hooks.ofOrg), hook(hooks.ofRepo), hook(hooks.ofSite)]
    const topics = [account, organization(org), repository(repo), ...ofHooks, organization(fence)]
    const streams: [string, LiveStream][] = []
    for (const [role, person] of Object.entries(people)) streams.push([role, await followAs(person, topics)])

    for (const [kind, { place }] of Object.entries(catalogue) as [EventKind, { place: string }][]) {
      const repositoryId = place === 'repository' ? repo.id : null
      for (const ownerId of [org.id, stranger.account.id]) tell({ id: 1, kind, ownerId, repositoryId })
      if (!ofAccounts.includes(kind)) continue
      for (const person of Object.values(people)) {
        if (person) tell({ id: 1, kind, ownerId: person.account.id, repositoryId })
      }
    }
    for (const { id } of [hooks.ofOrg, hooks.ofRepo, hooks.ofSite]) {
      const place = { ownerId: org.id, repositoryId: id === hooks.ofRepo.id ? repo.id : null }
      tell({ kind: 'hook.delivery_changed', hookId: id, deliveryId: 1, ...place })
    }
    tell(orgEdited(fence.id))
    for (const [, stream] of streams) await stream.told(({ messages }) => messages.find(isAbout(fence.id)))

    for (const [role, stream] of streams) {
      const toldOf = (topic: Topic) =>
        changes(stream)
          .filter(message => JSON.stringify(message.topic) === JSON.stringify(topic))
          .map(({ kind }) => kind)
          .sort()
      const { isInside, organization: ofOrganization, repository: ofRepository } = expected[role]!
      const may = { owner: ofHooks.slice(0, 2), 'site administrator': ofHooks }[role] ?? []
      const seesIt = visibility === 'public' || isInside
      expect({
        role,
        account: toldOf(account),
        organization: toldOf(organization(org)),
        repository: toldOf(repository(repo)),
        hooks: ofHooks.filter(topic => toldOf(topic).includes('hook.delivery_changed')),
        ended: ended(stream),
      }).toEqual({
        role,
        account: people[role] ? [...ofAccounts].sort() : [],
        organization: seesIt ? [...ofOrganization].sort() : [],
        repository: [...ofRepository].sort(),
        hooks: may,
        ended: [
          ...(people[role] ? [] : [account]),
          ...(seesIt ? [] : [organization(org)]),
          ...(ofRepository.length > 0 ? [] : [repository(repo)]),
          ...ofHooks.filter(topic => !may.includes(topic)),
        ],
      })
    }
  })
})
