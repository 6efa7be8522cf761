import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addToOrg, makeOrg, makeRepository } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { hubOf, type Signal } from '@/server/events'
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
  await stream.waitFor(({ messages, error }) => messages.length > 0 || error)
  return stream
}

const publish = (...signals: Signal[]) => hubOf(site.db).publish(signals)
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

describe('a live stream', () => {
  it('reports changes from its start on, without their content', async () => {
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
    await stream.waitFor(({ messages }) => messages[1])
    expect(stream.messages[1]).toEqual({ type: 'changed', topic: organization(org) })
  })

  it('forbids caching, buffering, and compression', async () => {
    const { status, headers } = await followAs(undefined, [organization(await makeAnyOrg())])
    const shown = ['content-type', 'cache-control', 'x-accel-buffering'].map(name => headers.get(name))
    expect([status, ...shown]).toEqual([200, 'text/event-stream', 'private, no-cache, no-transform', 'no'])
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': '' }],
  ])('is available only to the site’s own pages: %o', async headers => {
    const org = await makeAnyOrg()
    const stream = await followAs(undefined, [organization(org)], { headers })
    expect([stream.messages, stream.error?.data.kind]).toEqual([[], 'forbidden'])
    const input = encodeURIComponent(JSON.stringify({ topics: [organization(org)], viewer: 'nobody' }))
    const spelled = await fetch(`${site.url}/api/trpc/live%2Efollow?input=${input}`, { headers })
    expect(await spelled.text()).toContain('"kind":"methodNotAllowed"')
  })

  it('is rejected if the page was rendered for another user', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const stream = await followAs(ben, [account], { userId: ada.account.id })
    expect(stream.error?.data).toMatchObject({ kind: 'viewerChanged', viewer: ben.name })
    const nobody = await followAs(undefined, [account], { userId: ada.account.id })
    expect(nobody.error?.data).toMatchObject({ kind: 'viewerChanged', viewer: null })
  })

  it.each([
    ['no topics', []],
    ['too many topics', Array.from({ length: 31 }, (_, id) => organization({ id: id + 1 }))],
    ['an unknown topic', [{ topic: 'world' } as never]],
    ['an invalid ID', [organization({ id: -1 })]],
  ])('is rejected with %s', async (_, topics) => {
    expect((await followAs(undefined, topics)).error?.data.kind).toBe('invalid')
  })

  it('is limited to 20 per account, and closing one frees a slot', async () => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    const streams: LiveStream[] = []
    for (let count = 0; count < 20; count++) streams.push(await followAs(ada, [account], { cookie }))
    expect((await followAs(ada, [account], { cookie })).error?.data.kind).toBe('tooManyRequests')
    expect((await followAs(await makePerson(site), [account])).error).toBeUndefined()
    streams[0]!.close()
    await vi.waitFor(async () => expect((await followAs(ada, [account], { cookie })).error).toBeUndefined(), {
      timeout: 10_000,
    })
  })
})

describe('a live stream after an interruption', () => {
  it('continues with the changes it missed', async () => {
    const [org, other] = [await makeAnyOrg(), await makeAnyOrg()]
    const topics = [organization(org), organization(other)]
    const first = await followAs(undefined, topics)
    publish(orgEdited(org.id))
    await first.waitFor(({ messages }) => messages[1])
    first.close()
    await first.over
    publish(orgEdited(other.id), orgEdited(other.id + 1_000_000))
    const second = await followAs(undefined, topics, { after: first.lastEventId })
    await second.waitFor(({ messages }) => messages[1])
    expect(changes(second)).toEqual([{ type: 'changed', topic: topics[1] }])
    const third = await followAs(undefined, topics, { after: second.lastEventId })
    publish(orgEdited(org.id))
    await third.waitFor(({ messages }) => messages[1])
    expect(changes(third)).toEqual([{ type: 'changed', topic: topics[0] }])
  })

  it('includes all changes since its page was rendered', async () => {
    const org = await makeAnyOrg()
    const cursor = (await (await signIn(site, await makePerson(site))).query('live.getCursor')).data
    publish(orgEdited(org.id))
    const stream = await followAs(undefined, [organization(org)], { after: cursor })
    await stream.waitFor(({ messages }) => messages.find(isAbout(org.id)))
  })

  it.each(['0a1b2c3d.5.1000', 'nonsense', ''])(
    'tells the page to reload everything after %j',
    async after => {
      const topics = [organization(await makeAnyOrg()), organization(await makeAnyOrg())]
      const stream = await followAs(undefined, topics, { after })
      await stream.waitFor(({ messages }) => messages[1])
      expect(stream.messages).toEqual([{ type: 'following' }, { type: 'resync', topics }])
    },
  )

  it('tells the page to reload everything if changes of other processes were missed', async () => {
    const org = await makeAnyOrg()
    const topics = [organization(org)]
    const stream = await followAs(undefined, topics)
    publish({ kind: 'missed' }, orgEdited(org.id), { kind: 'missed' })
    await stream.waitFor(({ messages }) => messages[2])
    expect(stream.messages.slice(1)).toEqual(
      expect.arrayContaining([
        { type: 'resync', topics },
        { type: 'changed', topic: topics[0] },
      ]),
    )
    expect(stream.messages).toHaveLength(3)
  })
})

describe('a live stream of a user who loses access', () => {
  it('to an organization reports that the topic ended, and nothing more about it', async () => {
    const [org, other] = [await makeAnyOrg({ visibility: 'private' }), await makeAnyOrg()]
    const ada = await makePerson(site)
    await addToOrg(site.db, org.id, ada.account.id)
    const stream = await followAs(ada, [organization(org), organization(other)])
    publish(orgEdited(org.id))
    await stream.waitFor(({ messages }) => messages.find(isAbout(org.id)))
    await site.db.deleteFrom('organization_members').where('user_id', '=', ada.account.id).execute()
    publish(orgEdited(org.id))
    await stream.waitFor(found => ended(found).length > 0)
    publish(orgEdited(org.id), orgEdited(other.id))
    await stream.waitFor(({ messages }) => messages.find(isAbout(other.id)))
    expect(ended(stream)).toEqual([organization(org)])
    expect(changes(stream).map(({ topic }) => topic)).toEqual([organization(org), organization(other)])
  })

  it.each<[string, (person: Person, browser: Browser) => Promise<unknown>]>([
    ['signing out', (_, browser) => browser.mutate('sessions.signOut')],
    [
      'revoking the session from another browser',
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
  ])('by %s reports it and ends', async (_, loseIt) => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const org = await makeAnyOrg()
    const stream = await followAs(ada, [organization(org)], { cookie: browser.cookie })
    await loseIt(ada, browser)
    await stream.over
    expect(stream.messages).toEqual([{ type: 'following' }, { type: 'signedOut' }])
  })
})

describe('a live stream about webhooks', () => {
  const newHook = {
    type: 'gitea',
    name: '',
    url: 'https://127.0.0.1/hook',
    content_type: 'json',
    branch_filter: '',
    events: 'push',
    active: true,
    secret: '',
    authorization_header: '',
  }
  it.each(['repository', 'account', 'site'] as const)(
    'reports each change to a webhook of the %s',
    async of => {
      const ada = await makePerson(site, { is_admin: of === 'site' })
      const browser = await signIn(site, ada)
      const { id, name } = await makeRepository(site.db, ada.account.id)
      const scopes = {
        repository: [{ kind: 'repository', owner: ada.name, repo: name }, repository({ id })],
        account: [{ kind: 'own' }, account],
        site: [{ kind: 'site' }, { topic: 'site' }],
      } as const
      const [scope, topic] = scopes[of]
      const list = await followAs(ada, [topic])
      const wasNotified = async (stream: LiveStream, type: LiveMessage['type']) => {
        await stream.waitFor(({ messages }) => messages.find(message => message.type === type))
        stream.messages.length = 0
      }
      const { data } = await browser.mutate('hooks.add', {
        scope,
        ...newHook,
        ...(of === 'site' && { system: true }),
      })
      await wasNotified(list, 'changed')
      const { hook: made } = data as { hook: { id: number } }
      const page = await followAs(ada, [hook(made)])
      for (const active of [false, true]) {
        await browser.mutate('hooks.set', { scope, id: made.id, active })
        await wasNotified(list, 'changed')
        await wasNotified(page, 'changed')
      }
      await browser.mutate('hooks.remove', { scope, id: made.id })
      await wasNotified(list, 'changed')
      await wasNotified(page, 'ended')
    },
  )
})
