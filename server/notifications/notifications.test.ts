import { describe, expect, it } from 'vitest'
import { addToTeam, makeKey, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { Result } from '@/proto/gen/runner/v1/runner_pb'
import { hubOf, leaseEvents, type NewEvent, notificationConsumer, recordEvents } from '@/server/events'
import { jobContext } from '@/server/services'
import { contextOf } from '@/testing/actions'
import { call } from '@/testing/call'
import { makeHook } from '@/testing/hooks'
import { keptLog } from '@/testing/kept-log'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createTestWorkflows } from '@/testing/workflow-runs'
import { listNotifications } from './list'
import { markRead } from './mark-read'
import { sweepNotificationsJob } from './sweep'
import { notifyOfEvents } from './worker'

const kept = keptLog()
const site = useSite({}, kept.log)
const work = () => notifyOfEvents(jobContext(site.services, 'test'))
const sweep = () => sweepNotificationsJob.run(jobContext(site.services, 'test'), new AbortController().signal)
const all = { cursor: undefined, limit: 30, unread_only: false }

async function shownTo(person: Person) {
  await work()
  return (await listNotifications(contextOf(site, person), all)).items
}
const kindsShownTo = async (person: Person) => (await shownTo(person)).map(({ kind }) => kind)
const record = (...events: NewEvent[]) =>
  withTransaction(site.db, trx =>
    recordEvents(trx, { actorId: null, remoteAddress: '', requestId: 'test' }, events),
  )

const workflow = 'on: push\njobs: { build: { runs-on: x, steps: [{ run: make }] } }'

async function failRun(person: Person) {
  const workflows = await createTestWorkflows(site, person)
  const run = await workflows.start(workflow, { event: 'push' })
  await workflows.run('build', {}, Result.FAILURE)
  return { ...workflows, id: run }
}

describe('a failed run', () => {
  it('is shown to the person who started it, with the last line of its first failed step', async () => {
    const ada = await makePerson(site)
    const { id: run, repository } = await failRun(ada)
    const step = (name: string, conclusion: 'success' | 'failure', at: number) => ({
      ...{ name, conclusion, status: 'completed' as const, started_at: null, completed_at: null },
      ...{ log_index: at, log_length: 10 },
    })
    const steps = [
      step('Check out', 'success', 0),
      step('Test', 'failure', 10),
      step('Report', 'failure', 20),
    ]
    await site.db
      .updateTable('workflow_tasks')
      .set({ steps: JSON.stringify(steps) })
      .where('run_id', '=', run)
      .execute()
    expect(await shownTo(ada)).toMatchObject([
      {
        kind: 'run_failed',
        unread: true,
        repository: `${ada.name}/${repository.name}`,
        run_id: run,
        job: { name: 'build', step: 'Test', line: 20 },
      },
    ])
  })

  it('is not shown after a rerun has begun, and is shown once, as unread, when it has failed, too', async () => {
    const ada = await makePerson(site)
    const { id: run, path, ...workflows } = await failRun(ada)
    const [first] = await shownTo(ada)
    await markRead(contextOf(site, ada), { from: first!.id, to: first!.id })
    await call(site, 'POST', `${path}/runs/${run}/rerun`, { as: ada })
    expect(await shownTo(ada)).toEqual([])
    await workflows.run('build', {}, Result.FAILURE)
    const [second, ...others] = await shownTo(ada)
    expect([second?.unread, others]).toEqual([true, []])
    expect(second!.id).toBeGreaterThan(first!.id)
  })

  it.each(['success', 'canceled', 'scheduled'])('is not shown if it was %s', async how => {
    const ada = await makePerson(site)
    const workflows = await createTestWorkflows(site, ada)
    const run = await workflows.start(workflow, { event: how === 'scheduled' ? 'schedule' : 'push' })
    if (how === 'canceled') await call(site, 'POST', `${workflows.path}/runs/${run}/cancel`, { as: ada })
    else await workflows.run('build', {}, how === 'success' ? Result.SUCCESS : Result.FAILURE)
    expect(await shownTo(ada)).toEqual([])
  })

  it('is not shown, and not counted, once the person cannot read the runs', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { id: run, repository } = await failRun(ada)
    await site.db.updateTable('repositories').set({ is_private: true }).execute()
    await site.db.updateTable('workflow_run_attempts').set({ actor_id: bob.account.id }).execute()
    const about = { number: 1, attempt: 1, event: 'push', conclusion: 'failure' }
    const facts = { ...about, repositoryId: repository.id, runId: run }
    await record({ kind: 'run.completed', ownerId: ada.account.id, repositoryId: repository.id, facts })
    await work()
    const page = await listNotifications(contextOf(site, bob), all)
    expect(page).toEqual({ items: [], next: null, unread: 0 })
    const collaborator = `/repos/${ada.name}/${repository.name}/collaborators/${bob.name}`
    await call(site, 'PUT', collaborator, { as: ada, body: { permission: 'read' } })
    expect(await kindsShownTo(bob)).toEqual(['collaboration_begun', 'run_failed'])
    await call(site, 'DELETE', collaborator, { as: ada })
    expect(await kindsShownTo(bob)).toEqual([])
  })
})

describe('an offered repository', () => {
  it('is shown to the recipient, who may not see it, until the offer ends', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { id, name } = await makeRepository(site.db, ada.account.id, { is_private: true })
    const path = `/repos/${ada.name}/${name}/transfer`
    await call(site, 'POST', path, { as: ada, body: { new_owner: bob.name } })
    expect(await shownTo(bob)).toMatchObject([
      { kind: 'transfer_offered', repository: `${ada.name}/${name}`, doer: ada.name, is_visible: false },
    ])
    expect(await shownTo(ada)).toEqual([])
    await call(site, 'POST', `${path}/reject`, { as: bob })
    expect(await shownTo(bob)).toEqual([])
    expect(
      await site.db.selectFrom('notifications').where('subject_id', '=', id).select('id').execute(),
    ).toHaveLength(1)
  })

  it('is shown to the owners of an organization, but not to its other members', async () => {
    const [ada, bob, eve] = [await makePerson(site), await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, bob.account.id)
    await addToTeam(site.db, await makeTeam(site.db, org.id), eve.account.id)
    const { name } = await makeRepository(site.db, ada.account.id)
    await call(site, 'POST', `/repos/${ada.name}/${name}/transfer`, {
      as: ada,
      body: { new_owner: org.name },
    })
    expect(await shownTo(bob)).toMatchObject([{ recipient: org.name, is_visible: true }])
    expect(await shownTo(eve)).toEqual([])
  })
})

describe('new access', () => {
  it('to a team or a repository is shown to those who got it from somebody else, while they have it', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, ada.account.id)
    const team = await makeTeam(site.db, org.id)
    const repository = await makeRepository(site.db, org.id)
    const member = `/teams/${team.id}/members/`
    await call(site, 'PUT', member + bob.name, { as: ada })
    await call(site, 'PUT', member + ada.name, { as: ada })
    const collaborator = `/repos/${org.name}/${repository.name}/collaborators/${bob.name}`
    await call(site, 'PUT', collaborator, { as: ada, body: { permission: 'admin' } })
    expect(await shownTo(bob)).toMatchObject([
      { kind: 'collaboration_begun', repository: `${org.name}/${repository.name}`, permission: 'admin' },
      { kind: 'team_joined', org: org.name, team: team.name },
    ])
    expect(await shownTo(ada)).toEqual([])
    await call(site, 'DELETE', member + bob.name, { as: ada })
    await call(site, 'DELETE', collaborator, { as: ada })
    expect(await shownTo(bob)).toEqual([])
  })
})

describe('a webhook that the site disabled', () => {
  it.each(['person', 'organization', 'repository'])(
    'is shown to the owner of its %s until it is active',
    async kind => {
      const ada = await makePerson(site)
      const org = await makeOrg(site.db, ada.account.id)
      const repository = await makeRepository(site.db, org.id)
      const ownerId = kind === 'person' ? ada.account.id : org.id
      const of = kind === 'repository' ? { repository_id: repository.id } : { owner_id: ownerId }
      const hook = await makeHook(site, of, { disabled_reason: 'gone' })
      const repositoryId = kind === 'repository' ? repository.id : null
      const facts = { hookId: hook.id, type: 'gitea', target: hook.target, scope: hook.scope, repositoryId }
      await record({ kind: 'hook.disabled', ownerId, facts: { ...facts, why: 'gone' } })
      const scopes: Record<string, object> = {
        person: { kind: 'own' },
        organization: { kind: 'organization', org: org.name },
        repository: { kind: 'repository', owner: org.name, repo: repository.name },
      }
      expect(await shownTo(ada)).toMatchObject([
        { kind: 'hook_disabled', hook_id: hook.id, target: hook.target, why: 'gone', scope: scopes[kind] },
      ])
      await site.db.updateTable('hooks').set({ disabled_reason: null }).where('id', '=', hook.id).execute()
      expect(await shownTo(ada)).toEqual([])
    },
  )
})

describe('credentials', () => {
  it('are announced to their owner once when they expire within a week', async () => {
    const ada = await makePerson(site)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    for (const days of [-1, 6, 8]) {
      await makeKey(site.db, ada.account.id, { title: `key ${days}`, expires_at: inDays(days) })
      const token_hash = Buffer.from(`${ada.name} ${days}`)
      const token = { name: `token ${days}`, token_hash, token_last_eight: '', scopes: [] }
      await site.db
        .insertInto('access_tokens')
        .values({ ...token, user_id: ada.account.id, expires_at: inDays(days) })
        .execute()
    }
    await sweep()
    const [key, token, ...others] = await shownTo(ada)
    expect(key).toMatchObject({ kind: 'key_expiring', title: 'key 6' })
    expect(token).toMatchObject({ kind: 'token_expiring', name: 'token 6' })
    expect(others).toEqual([])
    await markRead(contextOf(site, ada), { from: 1, to: key!.id })
    await sweep()
    expect((await shownTo(ada)).map(({ id, unread }) => [id, unread])).toEqual([
      [key!.id, false],
      [token!.id, false],
    ])
  })
})

describe('notifications', () => {
  const teamEvent = async (person: Person, count = 1): Promise<NewEvent[]> => {
    const org = await makeOrg(site.db, (await makePerson(site)).account.id)
    const events: NewEvent[] = []
    for (let made = 0; made < count; made++) {
      const team = await makeTeam(site.db, org.id)
      await addToTeam(site.db, team, person.account.id)
      const facts = { teamId: team.id, team: team.name, memberId: person.account.id, member: person.name }
      events.push({ kind: 'team.member_added', ownerId: org.id, facts })
    }
    return events
  }

  it('are written once by two workers at the same time', async () => {
    const ada = await makePerson(site)
    await record(...(await teamEvent(ada, 5)))
    await Promise.all([work(), work(), work()])
    expect(await shownTo(ada)).toHaveLength(5)
  })

  it('are written once, by another worker, after the one that had leased the event was killed', async () => {
    const ada = await makePerson(site)
    await record(...(await teamEvent(ada)))
    const [now, until] = [new Date(), new Date(Date.now() + 60_000)]
    expect(await leaseEvents(site.db, notificationConsumer, { limit: 10, now, until })).toHaveLength(1)
    expect(await shownTo(ada)).toEqual([])
    site.now.set(new Date(until.getTime() + 1))
    const [written] = await shownTo(ada)
    expect(written).toMatchObject({ kind: 'team_joined' })
    site.now.set(undefined)
    expect((await shownTo(ada)).map(({ id }) => id)).toEqual([written!.id])
  })

  it('of others are written if one cannot be', async () => {
    const ada = await makePerson(site)
    const [event] = await teamEvent(ada)
    const facts = { ...(event!.facts as object), teamId: 'none' } as never
    await record({ kind: 'team.member_added', ownerId: null, facts }, event!)
    expect(await shownTo(ada)).toHaveLength(1)
    await site.db.deleteFrom('event_outbox').where('consumer', '=', notificationConsumer.name).execute()
  })

  it('are announced to the open pages of the person, also when they are marked as read', async () => {
    const ada = await makePerson(site)
    const received: unknown[] = []
    const stop = hubOf(site.db).listen(signals => {
      for (const signal of signals) if (signal.kind === 'notifications.changed') received.push(signal.ownerId)
    })
    await record(...(await teamEvent(ada)))
    const [one] = await shownTo(ada)
    const mark = () => markRead(contextOf(site, ada), { from: one!.id, to: one!.id })
    expect([await mark(), await mark()]).toEqual([0, 0])
    stop()
    expect(received).toEqual([ada.account.id, ada.account.id])
  })

  it('are deleted after 90 days, and beyond the newest 1,000 of a person', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const row = (account_id: number, subject_id: number) => ({ account_id, kind: 'team_joined', subject_id })
    const many = Array.from({ length: 1_700 }, (_, subject) => row(ada.account.id, subject))
    await site.db.insertInto('notifications').values(many).execute()
    const old = { ...row(bob.account.id, 1), created_at: new Date(Date.now() - 91 * 86_400_000) }
    await site.db
      .insertInto('notifications')
      .values([old, row(bob.account.id, 2)])
      .execute()
    await sweep()
    const subjectsOf = async ({ account }: Person) =>
      (
        await site.db
          .selectFrom('notifications')
          .select('subject_id')
          .where('account_id', '=', account.id)
          .orderBy('id')
          .execute()
      ).map(({ subject_id }) => subject_id)
    const left = await subjectsOf(ada)
    expect([left.length, left[0]]).toEqual([1_000, 700])
    expect(await subjectsOf(bob)).toEqual([2])
  })
})
