import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { type EventKind, isInFeed } from '@/server/events'
import { dispatchEvents } from '@/server/hooks/delivery/dispatcher'
import { dayMs } from '@/server/kernel/clock'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makeHook } from '@/testing/hooks'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { statusAndMessage } from '@/testing/team-cast'

const site = useSite()
const work = useWorkDirectory()

interface Happened {
  ownerId: number
  repositoryId?: number
  actorId?: number
  facts?: object
  at?: Date
}

/** Inserts an event directly into the database and returns its ID. */
async function happened(
  kind: EventKind,
  { facts = {}, at = new Date(), ...subject }: Happened,
): Promise<number> {
  const { id } = await site.db
    .insertInto('events')
    .values({
      kind,
      in_feed: isInFeed({ kind, facts }),
      owner_id: subject.ownerId,
      repository_id: subject.repositoryId ?? null,
      actor_id: subject.actorId ?? null,
      data: JSON.stringify(facts),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const skipped = (hookId: number, reason: string) => ({ hookId, outcome: 'skipped', reason })

async function trace(eventId: number, considered: object[]): Promise<void> {
  await site.db
    .insertInto('hook_traces')
    .values({ event_id: eventId, considered: JSON.stringify(considered) })
    .execute()
}

/** Inserts a delivery of an event after a number of attempts, and returns its entry in the trace. */
async function deliver(
  eventId: number,
  hookId: number,
  status: 'pending' | 'delivered' | 'failed',
  attempts: number,
  error: string | null = null,
) {
  const payload = await site.db
    .insertInto('hook_payloads')
    .values({ body: Buffer.from('{}') })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await site.db
    .insertInto('hook_deliveries')
    .values({
      uuid: crypto.randomUUID(),
      hook_id: hookId,
      kind: 'event',
      event_id: eventId,
      event: 'push',
      event_type: 'push',
      sequence: 1,
      content_type: 'json',
      payload_id: payload.id,
      target: 'ci.example.test:443',
      status,
      attempts,
      next_attempt_at: status === 'pending' ? new Date('2030-01-01T00:00:00Z') : null,
      last_error: error,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { hookId, outcome: 'queued', deliveryId: id }
}

async function makeScene() {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, org.id)
  const subject = { ownerId: org.id, repositoryId: repository.id, actorId: owner.account.id }
  return { owner, org, repository, subject, hooks: `/orgs/${org.name}/hooks` }
}

const get = async (as: Person, path: string) => (await call(site, 'GET', path, { as })).body

const push = { ref: 'refs/heads/main', before: 'a', after: 'b', commits: 2 }

describe('webhook events', () => {
  it('list what happened, newest first, with the number of webhooks that sent or skipped it', async () => {
    const { owner, org, repository, subject, hooks } = await makeScene()
    const hook = await makeHook(site, { owner_id: org.id })
    const other = await makeHook(site, { repository_id: repository.id })
    const first = await happened('team.member_added', {
      ownerId: org.id,
      facts: { member: 'bob', team: 'crew' },
    })
    const second = await happened('git.pushed', { ...subject, facts: push })
    await happened('session.opened', { ownerId: org.id })
    await trace(second, [await deliver(second, hook.id, 'delivered', 1), skipped(other.id, 'inactive')])
    const events = await get(owner, `${hooks}/events`)
    expect(events).toEqual([
      {
        id: second,
        type: 'push',
        kind: 'git.pushed',
        summary: 'Pushed 2 commits to main',
        created_at: expect.any(String),
        actor: { id: owner.account.id, login: owner.name },
        repository: { id: repository.id, full_name: `${org.name}/${repository.name}` },
        state: 'considered',
        delivered: 1,
        pending: 0,
        failed: 0,
        skipped: 1,
      },
      expect.objectContaining({
        id: first,
        type: 'membership',
        summary: 'Added bob to the team crew',
        actor: null,
        repository: null,
        state: 'no_webhooks',
      }),
    ])
  })

  it.each(['organization', 'repository', 'site'])('for the %s are paginated without gaps', async scope => {
    const { owner, org, repository, subject } = await makeScene()
    const root = await makePerson(site, { is_admin: true })
    const paths: Record<string, string> = {
      organization: `/orgs/${org.name}/hooks/events`,
      repository: `/repos/${org.name}/${repository.name}/hooks/events`,
      site: '/admin/hooks/events',
    }
    const at = new Date(Date.now() + dayMs)
    const ids: number[] = []
    for (let count = 0; count < 3; count++) ids.unshift(await happened('ref.created', { ...subject, at }))
    const as = scope === 'site' ? root : owner
    const first = await call(site, 'GET', `${paths[scope]}?limit=2`, { as })
    const link = first.headers.get('link') ?? ''
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(link) ?? []
    expect(next).toContain(`cursor=${ids[1]}`)
    const second = await call(site, 'GET', next.slice(`${site.url}/api/v1`.length), { as })
    const seen = [...first.body, ...second.body].map(({ id }: { id: number }) => id)
    expect(seen.slice(0, 3)).toEqual(ids)
    if (scope !== 'site') expect([seen, second.headers.get('link')]).toEqual([ids, null])
    await site.db.deleteFrom('events').where('id', '=', ids[1]!).execute()
    const afterDeletion = await get(as, next.slice(`${site.url}/api/v1`.length))
    expect(afterDeletion[0].id).toBe(ids[2])
    const nowhere = await call(site, 'GET', `${paths[scope]}?cursor=abc`, { as })
    expect(statusAndMessage(nowhere)).toEqual([
      422,
      expect.stringMatching(/^\[Cursor\]: The cursor must be the ID/),
    ])
  })

  it('of a repository ignore another repository’s event as cursor, which reveals nothing about it', async () => {
    const { owner, org, repository, subject } = await makeScene()
    const elsewhere = { ownerId: org.id, repositoryId: (await makeRepository(site.db, org.id)).id }
    const id = await happened('ref.created', subject)
    const foreign = await happened('ref.created', { ...elsewhere, at: new Date(Date.now() - dayMs) })
    const path = `/repos/${org.name}/${repository.name}/hooks/events?cursor=${foreign}`
    expect(await get(owner, path)).toMatchObject([{ id }])
  })

  it('explain for one event why each webhook sent it or not', async () => {
    const { owner, org, subject, hooks } = await makeScene()
    const make = async () => (await makeHook(site, { owner_id: org.id })).id
    const id = await happened('git.pushed', { ...subject, facts: push })
    const tried = [
      await deliver(id, await make(), 'delivered', 3),
      await deliver(id, await make(), 'pending', 1, 'connection refused'),
      await deliver(id, await make(), 'failed', 10, 'answered with 500'),
      await deliver(id, await make(), 'failed', 0, 'not sent: the webhook is not active'),
    ]
    const reasons = ['inactive', 'disabled', 'event_not_chosen', 'branch_filter', 'no_commits', 'no_payload']
    const left: object[] = []
    for (const reason of reasons) left.push(skipped(await make(), reason))
    await trace(id, [...tried, ...left])
    const { considered, ...event } = await get(owner, `${hooks}/events/${id}`)
    expect(event).toMatchObject({ id, state: 'considered', delivered: 1, pending: 1, failed: 2, skipped: 6 })
    expect(
      considered.map((one: { reason: string; explanation: string }) => [one.reason, one.explanation]),
    ).toEqual([
      [null, 'Delivered after 3 attempts.'],
      [null, 'Attempted once and will be retried. Last error: connection refused.'],
      [null, 'Failed after 10 attempts. Last error: answered with 500.'],
      [null, 'Not sent: the webhook is not active.'],
      ['inactive', 'The webhook was inactive.'],
      ['disabled', 'The webhook was disabled because its deliveries failed.'],
      ['event_not_chosen', 'The webhook is not subscribed to push events.'],
      ['branch_filter', 'The branch filter excludes main.'],
      ['no_commits', 'Pushes without commits are not sent to chats.'],
      ['no_payload', 'The subject of the event had already been deleted.'],
    ])
    expect(considered[1]).toMatchObject({
      hook: { id: tried[1]?.hookId, type: 'gitea', target: 'ci.example.test:443', scope: 'owner' },
      outcome: 'queued',
      delivery: { status: 'pending', attempts: 1, next_attempt_at: '2030-01-01T00:00:00Z' },
    })
    expect(JSON.stringify(considered)).not.toContain('https://ci.example.test')
  })

  it('have the same counts in the list as in the details, without deleted webhooks and those created later', async () => {
    const { owner, org, subject, hooks } = await makeScene()
    const at = new Date(Date.now() - 60_000)
    const before = { created_at: new Date(at.getTime() - 1) }
    const asked = async () => (await makeHook(site, { owner_id: org.id }, before)).id
    const id = await happened('git.pushed', { ...subject, facts: push, at })
    await trace(id, [
      await deliver(id, await asked(), 'delivered', 1),
      await deliver(id, await asked(), 'pending', 0),
      await deliver(id, 99_999_999, 'delivered', 1),
      skipped(await asked(), 'inactive'),
      skipped(99_999_998, 'inactive'),
    ])
    await makeHook(site, { owner_id: org.id })
    const { considered, explanation, ...counted } = await get(owner, `${hooks}/events/${id}`)
    expect(await get(owner, `${hooks}/events`)).toEqual([counted])
    expect(counted).toMatchObject({ delivered: 1, pending: 1, failed: 0, skipped: 1 })
    const shown = considered.map((one: { outcome: string; delivery: { status: string } | null }) => [
      one.outcome,
      one.delivery?.status,
    ])
    expect(shown).toEqual([
      ['queued', 'delivered'],
      ['queued', 'pending'],
      ['skipped', undefined],
      ['later', undefined],
    ])
  })

  it('explain why no webhook was considered: none existed, it was created later, or the event is too new or too old', async () => {
    const { owner, org, subject, hooks } = await makeScene()
    const before = new Date(Date.now() - 1000)
    const unasked = await happened('git.pushed', { ...subject, at: before })
    await makeHook(site, { owner_id: org.id })
    const waiting = await happened('git.pushed', subject)
    await site.db.insertInto('event_outbox').values({ consumer: 'webhooks', event_id: waiting }).execute()
    const expired = await happened('git.pushed', { ...subject, at: new Date(Date.now() - 31 * dayMs) })
    const shown = async (id: number) => {
      const { state, explanation, considered } = await get(owner, `${hooks}/events/${id}`)
      return { state, explanation, reasons: considered.map((one: { reason: string }) => one.reason) }
    }
    expect(await shown(unasked)).toEqual({
      state: 'no_webhooks',
      explanation: 'There were no webhooks for this event when it happened.',
      reasons: ['created_later'],
    })
    expect(await shown(waiting)).toMatchObject({ state: 'waiting', reasons: [] })
    expect(await shown(expired)).toMatchObject({ state: 'expired' })
  })

  it('explain what was decided about a push', async () => {
    const { owner, org, hooks } = await makeScene()
    const asked = await makeHook(site, { owner_id: org.id }, { branch_filter: 'main' })
    const filtered = await makeHook(site, { owner_id: org.id }, { branch_filter: 'release/*' })
    const repository = await makeGitRepository(site, org)
    const local = work.path()
    await startLocal(local)
    await gitOk(['push', '-q', addressOf(site, repository, owner), 'main'], { cwd: local })
    await dispatchEvents(jobContext(site.services, 'test'))
    const events = await get(owner, `${hooks}/events`)
    expect(events).toMatchObject([
      { kind: 'git.pushed', state: 'considered', pending: 1, skipped: 1, actor: { login: owner.name } },
      { kind: 'ref.created', state: 'considered', pending: 0, skipped: 2 },
    ])
    expect((await get(owner, `${hooks}/events/${events[0].id}`)).considered).toMatchObject([
      { hook: { id: asked.id }, explanation: 'Will be sent shortly.', delivery: { status: 'pending' } },
      { hook: { id: filtered.id }, explanation: 'The branch filter excludes main.', delivery: null },
    ])
  })

  it('show owners only their own webhooks, and site administrators all', async () => {
    const { owner, org, repository, subject, hooks } = await makeScene()
    const root = await makePerson(site, { is_admin: true })
    const admin = await makePerson(site)
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repository.id, user_id: admin.account.id, mode: 'admin' })
      .execute()
    const ofSite = await makeHook(site, { scope: 'system' })
    const ofOrg = await makeHook(site, { owner_id: org.id })
    const ofRepository = await makeHook(site, { repository_id: repository.id })
    const id = await happened('git.pushed', { ...subject, facts: push })
    await trace(
      id,
      [ofSite, ofOrg, ofRepository].map(hook => skipped(hook.id, 'event_not_chosen')),
    )
    const idsFor = async (as: Person, at: string) => {
      const { considered, skipped: count } = await get(as, `${at}/events/${id}`)
      const ids = considered.map((one: { hook: { id: number } }) => one.hook.id)
      expect(count).toBe(ids.length)
      return ids
    }
    expect(await idsFor(owner, hooks)).toEqual([ofOrg.id, ofRepository.id])
    expect(await idsFor(admin, `/repos/${org.name}/${repository.name}/hooks`)).toEqual([ofRepository.id])
    expect(await idsFor(root, '/admin/hooks')).toEqual([ofSite.id, ofOrg.id, ofRepository.id])
  })

  it('return 404 for an event of another owner, and for one that webhooks never receive', async () => {
    const { owner, org, hooks } = await makeScene()
    const elsewhere = await makeScene()
    const foreign = await happened('git.pushed', elsewhere.subject)
    const unrelated = await happened('session.opened', { ownerId: org.id })
    const own = await happened('key.added', { ownerId: owner.account.id, facts: { title: 'laptop' } })
    for (const id of [foreign, unrelated, own, 99_999_999]) {
      expect(statusAndMessage(await call(site, 'GET', `${hooks}/events/${id}`, { as: owner }))).toEqual([
        404,
        `There is no event ${id} that webhooks here could receive. See hooks/events for a list of these events.`,
      ])
    }
    expect((await call(site, 'GET', `${hooks}/events/none`, { as: owner })).status).toBe(404)
    expect(await get(owner, `/user/hooks/events/${own}`)).toMatchObject({
      type: 'key',
      summary: 'Added the SSH key “laptop”',
    })
  })
})
