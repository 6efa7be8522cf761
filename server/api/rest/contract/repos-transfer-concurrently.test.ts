// @module-tag embedded
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addToTeam, makeDeployKey, makeOrg, makeRepository } from '@/db/testing/factories'
import { hashSecret } from '@/server/auth/credentials/secret-token'
import type { UserCtx } from '@/server/kernel/ctx'
import { removeDeployKey } from '@/server/keys/deploy/remove'
import { removeCollaborator } from '@/server/repos/collaborators/remove'
import { loadRepository } from '@/server/repos/load'
import { administration } from '@/server/repos/policy'
import type { TransferEffects } from '@/server/repos/schema'
import { changeVariable } from '@/server/secrets/edit'
import { loadVariable } from '@/server/secrets/load'
import { removeVariable } from '@/server/secrets/remove'
import { jobContext } from '@/server/services'
import { signIn } from '@/testing/browser'
import { type Answer, call } from '@/testing/call'
import { makeHook } from '@/testing/hooks'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const rounds = 6

async function makeScene() {
  const [owner, recipient] = [await makePerson(site), await makePerson(site)]
  const repository = await makeRepository(site.db, owner.account.id, { is_private: true })
  const path = `/repos/${owner.name}/${repository.name}`
  const start = () =>
    call(site, 'POST', `${path}/transfer`, { as: owner, body: { new_owner: recipient.name } })
  const accept = () => call(site, 'POST', `${path}/transfer/accept`, { as: recipient })
  const browser = await signIn(site, owner)
  const cancel = async () =>
    (await browser.mutate('repos.transfer.cancel', { owner: owner.name, repo: repository.name })).status
  const ownerId = async () =>
    (
      await site.db
        .selectFrom('repositories')
        .select('owner_id')
        .where('id', '=', repository.id)
        .executeTakeFirst()
    )?.owner_id
  return { owner, recipient, repository, path, start, accept, cancel, ownerId }
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status)

async function transfersOf(repositoryId: number): Promise<number> {
  const events = await site.db
    .selectFrom('events')
    .select('id')
    .where('kind', '=', 'repository.transferred')
    .where('repository_id', '=', repositoryId)
    .execute()
  return events.length
}

/** Locks a row, starts the calls one after another until each waits for a lock, and then applies a change. */
async function whileLocked<T>(
  table: 'users' | 'repositories',
  id: number,
  calls: readonly (() => Promise<T>)[],
  change?: (trx: typeof site.db) => Promise<unknown>,
): Promise<T[]> {
  const begun: Promise<T>[] = []
  await site.db.transaction().execute(async trx => {
    await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
    for (const begin of calls) {
      begun.push(begin())
      // With the embedded database, all calls wait for its single connection instead of a lock.
      for (let tries = 0; tries < 50 && (await countWaiting(trx)) < begun.length; tries++) await wait(10)
    }
    await change?.(trx)
  })
  return await Promise.all(begun)
}

async function countWaiting(trx: typeof site.db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct pid) as count from pg_locks
    where not granted and pid in (
      select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

describe('concurrent transfers', () => {
  it('accept an offer once: 202 to one request, and 404 or 308 to the other', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start, accept, repository } = await makeScene()
      await start()
      const [first, second] = statuses(await Promise.all([accept(), accept()])).sort()
      expect(first).toBe(202)
      // A request after the transfer is redirected to the new address.
      expect([308, 404]).toContain(second)
      expect(await transfersOf(repository.id)).toBe(1)
    }
  })

  it('create one offer: 201 to one request, and 409 to the other', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start } = await makeScene()
      expect(statuses(await Promise.all([start(), start()])).sort()).toEqual([201, 409])
    }
  })

  it('either accept or cancel an offer', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start, accept, cancel, ownerId, owner, recipient } = await makeScene()
      await start()
      const [accepted, canceled] = await Promise.all([accept(), cancel()])
      expect([accepted.status, canceled]).toEqual(accepted.status === 202 ? [202, 404] : [404, 200])
      expect(await ownerId()).toBe((accepted.status === 202 ? recipient : owner).account.id)
    }
  })

  it('either accept an offer or delete the repository, which the former owner can no longer do afterward', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start, accept, path, owner, recipient, ownerId } = await makeScene()
      await start()
      const [accepted, deleted] = await Promise.all([accept(), call(site, 'DELETE', path, { as: owner })])
      expect(accepted.status === 202).toBe(deleted.status !== 204)
      expect(await ownerId()).toBe(accepted.status === 202 ? recipient.account.id : undefined)
    }
  })

  it('do not let the former owner grant access to the new owner’s repository', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start, accept, path, owner, repository } = await makeScene()
      const friend = await makePerson(site)
      await start()
      const [accepted, added] = await Promise.all([
        accept(),
        call(site, 'PUT', `${path}/collaborators/${friend.name}`, {
          as: owner,
          body: { permission: 'admin' },
        }),
      ])
      expect(accepted.status).toBe(202)
      const order = await site.db
        .selectFrom('events')
        .select('kind')
        .where('repository_id', '=', repository.id)
        .where('kind', 'in', ['collaborator.added', 'repository.transferred'])
        .orderBy('id')
        .execute()
      expect(order.map(row => row.kind)).toEqual([
        ...(added.status === 204 ? ['collaborator.added'] : []),
        'repository.transferred',
      ])
    }
  })

  it('do not let the former owner add webhooks, secrets, or runners to the new owner’s repository', async () => {
    for (let round = 0; round < rounds; round++) {
      const { start, accept, path, owner, repository } = await makeScene()
      await start()
      const [accepted, hook, secret, token] = await Promise.all([
        accept(),
        call(site, 'POST', `${path}/hooks`, {
          as: owner,
          body: { type: 'gitea', config: { url: 'https://example.test/', content_type: 'json' } },
        }),
        call(site, 'PUT', `${path}/actions/secrets/KEY`, { as: owner, body: { data: 'x' } }),
        call(site, 'POST', `${path}/actions/runners/registration-token`, { as: owner }),
      ])
      expect(accepted.status).toBe(202)
      for (const { status, text } of [hook, secret, token]) expect(status, text).toBeLessThan(500)
      for (const table of ['hooks', 'workflow_variables'] as const) {
        const left = site.db.selectFrom(table).select('id').where('repository_id', '=', repository.id)
        expect(await left.execute(), table).toEqual([])
      }
      const registration = await site.db
        .selectFrom('runner_registrations')
        .select('token_hash')
        .where('repository_id', '=', repository.id)
        .executeTakeFirst()
      expect(registration?.token_hash).not.toEqual(hashSecret(token.body.token ?? ''))
    }
  })

  it('return 404 for changes by the former owner that were authorized before the transfer', async () => {
    const { owner, repository, path, start, accept } = await makeScene()
    const friend = await makePerson(site)
    await call(site, 'PUT', `${path}/collaborators/${friend.name}`, { as: owner, body: {} })
    await call(site, 'POST', `${path}/actions/variables/REGION`, { as: owner, body: { value: 'eu' } })
    const ctx: UserCtx = {
      ...jobContext(site.services, 'test'),
      caller: { kind: 'user', user: owner.account, credential: { kind: 'password' } },
    }
    const names = { owner: owner.name, repo: repository.name }
    const found = await loadRepository(ctx, names, administration)
    const scope = { kind: 'repository', ...names } as const
    const variable = await loadVariable(ctx, scope, { kind: 'variable', name: 'REGION' })
    await start()
    expect((await accept()).status).toBe(202)
    await makeDeployKey(site.db, [repository])
    const read = async () => {
      const [keys, collaborators, variables] = await Promise.all([
        site.db.selectFrom('deploy_keys').select('id').where('repository_id', '=', repository.id).execute(),
        site.db
          .selectFrom('repository_collaborators')
          .select('user_id')
          .where('repository_id', '=', repository.id)
          .execute(),
        site.db
          .selectFrom('workflow_variables')
          .select(['name', 'value'])
          .where('repository_id', '=', repository.id)
          .execute(),
      ])
      return { keys, collaborators, variables }
    }
    const before = await read()
    const late = [
      removeDeployKey(ctx, found, before.keys[0]?.id ?? 0),
      removeCollaborator(ctx, found, friend.name),
      changeVariable(ctx, variable, () => ({ value: 'us' })),
      removeVariable(ctx, variable),
    ]
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'notFound' } })
    }
    expect(await read()).toEqual(before)
  })

  it('do not deadlock between accounts that exchange, create, and delete repositories', async () => {
    const root = await makePerson(site, { is_admin: true })
    for (let round = 0; round < rounds; round++) {
      const [one, other, guest] = [await makePerson(site), await makePerson(site), await makePerson(site)]
      const org = await makeOrg(site.db, one.account.id)
      const mine = await makeRepository(site.db, org.id)
      const theirs = await makeRepository(site.db, other.account.id)
      await call(site, 'PUT', `/repos/${org.name}/${mine.name}/collaborators/${guest.name}`, {
        as: one,
        body: {},
      })
      const give = (owner: string, repo: string, new_owner: string) =>
        call(site, 'POST', `/repos/${owner}/${repo}/transfer`, { as: root, body: { new_owner } })
      const answers = await Promise.all([
        give(org.name, mine.name, other.name),
        give(other.name, theirs.name, org.name),
        call(site, 'POST', '/user/repos', { as: other, body: { name: mine.name } }),
        call(site, 'DELETE', `/admin/users/${guest.name}`, { as: root }),
        call(site, 'POST', `/orgs/${org.name}/teams`, {
          as: one,
          body: { name: 'all', permission: 'admin', includes_all_repositories: true },
        }),
      ])
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
      const counts = await site.db
        .selectFrom('users')
        .select(['id', 'repository_count'])
        .where('id', 'in', [org.id, other.account.id])
        .execute()
      for (const { id, repository_count } of counts) {
        const rows = await site.db
          .selectFrom('repositories')
          .select('id')
          .where('owner_id', '=', id)
          .execute()
        expect(repository_count).toBe(rows.length)
      }
    }
  })

  it('do not deadlock with the deletion of repositories of both owners', async () => {
    const ada = await makePerson(site)
    const org = await makeOrg(site.db, ada.account.id)
    const [own, kept] = [
      await makeRepository(site.db, ada.account.id),
      await makeRepository(site.db, ada.account.id),
    ]
    const shared = await makeRepository(site.db, org.id)
    const browser = await signIn(site, ada)
    const answers = await whileLocked('users', ada.account.id, [
      () => browser.mutate('repos.removeAll', { ids: [own.id, shared.id] }),
      () => browser.mutate('repos.transfer.start', { owner: ada.name, repo: kept.name, new_owner: org.name }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  it('return 403 if the caller stops being an owner while waiting', async () => {
    const [first, second] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, first.account.id)
    await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, second.account.id)
    const { id, name } = await makeRepository(site.db, org.id)
    const path = `/repos/${org.name}/${name}`
    const take = () =>
      call(site, 'POST', `${path}/transfer`, { as: second, body: { new_owner: second.name } })
    const answers = await whileLocked('repositories', id, [take], trx =>
      trx.deleteFrom('team_members').where('user_id', '=', second.account.id).execute(),
    )
    expect(statuses(answers)).toEqual([403])
  })

  it('return 409 and change nothing if the effects differ from those shown', async () => {
    const [ada, orgOwner] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, orgOwner.account.id)
    const { id, name } = await makeRepository(site.db, ada.account.id)
    const browser = await signIn(site, ada)
    const asked = { owner: ada.name, repo: name, new_owner: org.name }
    const look = async () =>
      (await browser.query('repos.transfer.showEffects', asked)).data as TransferEffects
    const start = (expected: TransferEffects) =>
      browser.mutate('repos.transfer.startAsShown', { ...asked, expected })
    const scope = () =>
      site.db
        .selectFrom('repositories')
        .leftJoin('repository_transfers', 'repository_id', 'id')
        .select(['owner_id', 'recipient_id'])
        .where('id', '=', id)
        .execute()

    const shown = await look()
    expect(shown.is_direct).toBe(false)
    await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, ada.account.id)
    await makeHook(site, { repository_id: id })
    const now = await look()
    expect(now).toMatchObject({ is_direct: true, hooks: 1 })
    for (const old of [shown, { ...now, hooks: 0 }, { ...now, is_direct: false }]) {
      const { status, error } = await start(old)
      expect([status, error?.data.kind]).toEqual([409, 'conflict'])
    }
    expect(await scope()).toEqual([{ owner_id: ada.account.id, recipient_id: null }])
    expect((await start({ ...now, runs: 7 })).status).toBe(200)
    expect(await scope()).toEqual([{ owner_id: org.id, recipient_id: null }])
  })

  it('accept the current offer if another owner renewed it while accepting', async () => {
    const [first, second, guest] = [await makePerson(site), await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, first.account.id)
    await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, second.account.id)
    const { id, name } = await makeRepository(site.db, org.id)
    const path = `/repos/${org.name}/${name}/transfer`
    await call(site, 'POST', path, { as: second, body: { new_owner: guest.name } })
    const accept = () => call(site, 'POST', `${path}/accept`, { as: guest })
    const answers = await whileLocked('repositories', id, [accept], async trx => {
      await trx.deleteFrom('team_members').where('user_id', '=', second.account.id).execute()
      await trx
        .updateTable('repository_transfers')
        .set({ doer_id: first.account.id })
        .where('repository_id', '=', id)
        .execute()
    })
    expect(statuses(answers)).toEqual([202])
  })

  it.each(['decline', 'rename'])(
    'do not deadlock with the deletion of an account that can %s an offered repository',
    async verb => {
      const root = await makePerson(site, { is_admin: true })
      const [first, second, guest] = [await makePerson(site), await makePerson(site), await makePerson(site)]
      const org = await makeOrg(site.db, first.account.id)
      await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, second.account.id)
      const { id, name } = await makeRepository(site.db, org.id)
      const path = `/repos/${org.name}/${name}`
      await call(site, 'POST', `${path}/transfer`, { as: second, body: { new_owner: guest.name } })
      const [change, leaver] =
        verb === 'decline'
          ? [() => call(site, 'POST', `${path}/transfer/reject`, { as: guest }), guest]
          : [() => call(site, 'PATCH', path, { as: second, body: { name: `${name}-2` } }), second]
      const answers = await whileLocked('repositories', id, [
        change,
        () => call(site, 'DELETE', `/admin/users/${leaver.name}`, { as: root }),
      ])
      const [changed, deleted] = statuses(answers)
      expect(deleted).toBe(204)
      // With the embedded database, the deletion may run first.
      expect(changed).toBeLessThan(500)
    },
  )
})
