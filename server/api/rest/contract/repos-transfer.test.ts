// @module-tag embedded
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addToOrg,
  addToTeam,
  attach,
  makeDeployKey,
  makeOrg,
  makeRepository,
  makeTeam,
} from '@/db/testing/factories'
import { hubOf, type Signal } from '@/server/events'
import { readObjects } from '@/server/kernel/git/objects'
import { readerPool } from '@/server/kernel/git/readers/pool'
import { signIn } from '@/testing/browser'
import { type Answer, call } from '@/testing/call'
import { makeCommittedRepository } from '@/testing/git-repository'
import { makeHook } from '@/testing/hooks'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const transfer = (as: Person | undefined, path: string, new_owner: string, more = {}): Promise<Answer> =>
  call(site, 'POST', `/repos/${path}/transfer`, { ...(as && { as }), body: { new_owner, ...more } })
const answer = (as: Person, path: string, verb: 'accept' | 'reject'): Promise<Answer> =>
  call(site, 'POST', `/repos/${path}/transfer/${verb}`, { as })
const look = (as: Person | undefined, path: string): Promise<Answer> =>
  call(site, 'GET', `/repos/${path}`, { ...(as && { as }) })

async function makeScene({ is_private = false } = {}) {
  const [owner, recipient, outsider] = [
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
  ]
  const repository = await makeRepository(site.db, owner.account.id, { is_private, description: 'Sealed' })
  const path = `${owner.name}/${repository.name}`
  return { owner, recipient, outsider, repository, path, there: `${recipient.name}/${repository.name}` }
}

async function makeOrgScene() {
  const scene = await makeScene({ is_private: true })
  const [orgOwner, creator, member] = [await makePerson(site), await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, orgOwner.account.id)
  const creators = await makeTeam(site.db, org.id, { mode: 'read', can_create_org_repo: true })
  await addToTeam(site.db, creators, creator.account.id)
  await addToOrg(site.db, org.id, member.account.id)
  return { ...scene, orgOwner, creator, member, org, creators, there: `${org.name}/${scene.repository.name}` }
}

describe('POST /repos/{owner}/{repo}/transfer', () => {
  it('returns 201 and an offer to the recipient, which only both parties can see', async () => {
    const { owner, recipient, outsider, path } = await makeScene()
    const started = await transfer(owner, path, recipient.name)
    expect(started.status).toBe(201)
    expect(started.body.full_name).toBe(path)
    expect(started.body.repo_transfer).toMatchObject({
      doer: { login: owner.name },
      recipient: { login: recipient.name },
      teams: [],
    })
    for (const as of [owner, recipient]) expect((await look(as, path)).body.repo_transfer).toBeDefined()
    for (const as of [outsider, undefined])
      expect((await look(as, path)).body).not.toHaveProperty('repo_transfer')
  })

  it('returns 202 and transfers immediately for site administrators, to oneself, and if the caller can create repositories there', async () => {
    const root = await makePerson(site, { is_admin: true })
    const first = await makeScene()
    const byAdmin = await transfer(root, first.path, first.recipient.name)
    expect([byAdmin.status, byAdmin.body.full_name]).toEqual([202, first.there])
    expect(byAdmin.body).not.toHaveProperty('repo_transfer')
    expect(byAdmin.body.transfer_effects).toMatchObject({ is_direct: true, teams: 0, deploy_keys: 0 })

    const second = await makeOrgScene()
    await addToTeam(site.db, second.creators, second.owner.account.id)
    const toOrg = await transfer(second.owner, second.path, second.org.name)
    expect([toOrg.status, toOrg.body.full_name]).toEqual([202, second.there])
    // The team has only read permission, but the former owner remains an administrator.
    expect(toOrg.body.permissions.admin).toBe(true)
    const back = await transfer(second.orgOwner, second.there, second.orgOwner.name)
    expect([back.status, back.body.owner.login]).toEqual([202, second.orgOwner.name])
  })

  it('ends the processes that read the repository', async () => {
    const [root, owner, recipient] = [
      await makePerson(site, { is_admin: true }),
      await makePerson(site),
      await makePerson(site),
    ]
    const { path, directory, commit } = await makeCommittedRepository(site, owner.account)
    await readObjects(directory, [commit])
    const [reader] = readerPool().idlePids().slice(-1)
    expect(reader).toBeDefined()
    expect((await transfer(root, path.slice(1), recipient.name)).status).toBe(202)
    expect(readerPool().idlePids()).not.toContain(reader)
  })

  it('returns 201 and requires acceptance by an organization where the caller cannot create repositories', async () => {
    const { owner, member, creator, path, there, org } = await makeOrgScene()
    expect((await transfer(owner, path, org.name)).status).toBe(201)
    expect((await answer(member, path, 'accept')).status).toBe(404)
    const accepted = await answer(creator, path, 'accept')
    expect([accepted.status, accepted.body.full_name]).toEqual([202, there])
    expect(accepted.body.permissions.admin).toBe(true)
  })

  it('returns 403 or 404 to anyone but the repository’s owners', async () => {
    const { orgOwner, member, org, outsider } = await makeOrgScene()
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    const path = `${org.name}/${repository.name}`
    const admins = await makeTeam(site.db, org.id, { mode: 'admin' })
    await addToTeam(site.db, admins, member.account.id)
    await attach(site.db, admins, repository.id)
    const statuses = []
    for (const as of [undefined, outsider, member, orgOwner]) {
      statuses.push((await transfer(as, path, outsider.name)).status)
    }
    expect(statuses).toEqual([404, 404, 403, 201])
    const readOnly = await makeToken(site, orgOwner.account.id, ['read:repository'])
    expect((await transfer({ ...orgOwner, token: readOnly }, path, outsider.name)).status).toBe(403)
  })

  it('returns 404 for a new owner who does not exist or is hidden', async () => {
    const { owner, path } = await makeScene()
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of ['nobody-of-that-name', hidden.name]) {
      const { status, body } = await transfer(owner, path, name)
      expect([status, body.message]).toEqual([404, 'The new owner does not exist or cannot be found'])
    }
  })

  it('returns 409 if an offer is already pending', async () => {
    const { owner, recipient, outsider, path } = await makeScene()
    await transfer(owner, path, recipient.name)
    expect((await transfer(owner, path, outsider.name)).status).toBe(409)
    const root = await makePerson(site, { is_admin: true })
    expect((await transfer(root, path, outsider.name)).status).toBe(409)
  })

  it('returns 422 for the current owner, a name in use, a missing new owner, and teams that are not the new owner’s', async () => {
    const { owner, recipient, path, repository, org, creators } = await makeOrgScene()
    expect((await transfer(owner, path, owner.name)).status).toBe(422)
    const namesake = await makeRepository(site.db, recipient.account.id, {
      name: repository.name.toUpperCase(),
    })
    expect((await transfer(owner, path, recipient.name)).status).toBe(422)
    await site.db.deleteFrom('repositories').where('id', '=', namesake.id).execute()
    expect((await transfer(owner, path, '')).status).toBe(422)
    expect((await transfer(owner, path, recipient.name, { team_ids: [creators.id] })).status).toBe(422)
    const foreign = await makeTeam(site.db, (await makeOrg(site.db, owner.account.id)).id)
    const answers = [
      // The organization's team, which is hidden from the caller.
      await transfer(owner, path, org.name, { team_ids: [creators.id] }),
      await transfer(owner, path, org.name, { team_ids: [foreign.id] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422])
  })

  it('returns 403 if the recipient has blocked the caller', async () => {
    const { owner, recipient, path, org } = await makeOrgScene()
    const block = (blocker_id: number, blocked_id: number) =>
      site.db.insertInto('user_blocks').values({ blocker_id, blocked_id }).execute()
    await block(recipient.account.id, owner.account.id)
    await block(org.id, owner.account.id)
    for (const to of [recipient.name, org.name]) expect((await transfer(owner, path, to)).status).toBe(403)
  })

  it('returns 201 without revealing the recipient’s private repositories or limit, which only the recipient learns', async () => {
    const { owner, recipient, path, repository } = await makeScene()
    await makeRepository(site.db, recipient.account.id, { name: repository.name, is_private: true })
    expect((await transfer(owner, path, recipient.name)).status).toBe(201)
    const answered = await answer(recipient, path, 'accept')
    expect([answered.status, answered.body.message]).toEqual([422, expect.stringMatching(/same name/)])

    const another = await makeScene()
    await site.db
      .updateTable('users')
      .set({ repository_count: 1_000_000 })
      .where('id', '=', another.recipient.account.id)
      .execute()
    expect((await transfer(another.owner, another.path, another.recipient.name)).status).toBe(201)
    const full = await answer(another.recipient, another.path, 'accept')
    expect([full.status, full.body.message]).toEqual([403, expect.stringMatching(/maximum limit/)])
  })

  it('returns 403 for more than 20 pending offers to one account', async () => {
    const { owner, recipient, outsider, path } = await makeScene()
    const others = await Promise.all(
      Array.from({ length: 20 }, () => makeRepository(site.db, owner.account.id)),
    )
    const row = { recipient_id: recipient.account.id, doer_id: owner.account.id }
    await site.db
      .insertInto('repository_transfers')
      .values(others.map(({ id }) => ({ ...row, repository_id: id })))
      .execute()
    expect((await transfer(owner, path, recipient.name)).status).toBe(403)
    expect((await transfer(owner, path, outsider.name)).status).toBe(201)
  })
})

describe('POST /repos/{owner}/{repo}/transfer/accept', () => {
  it('returns 202, moves the repository, redirects its former path, and updates both counts', async () => {
    const { owner, recipient, path, there, repository } = await makeScene({ is_private: true })
    await transfer(owner, path, recipient.name)
    const accepted = await answer(recipient, path, 'accept')
    expect([accepted.status, accepted.body.full_name]).toEqual([202, there])
    expect(accepted.body).not.toHaveProperty('repo_transfer')
    expect((await look(owner, path)).status).toBe(404)
    const moved = await look(recipient, path)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/api/v1/repos/${there}`])
    const counts = await site.db
      .selectFrom('users')
      .select('repository_count')
      .where('id', 'in', [owner.account.id, recipient.account.id])
      .orderBy('id')
      .execute()
    expect(counts.map(row => row.repository_count)).toEqual([0, 1])
    const { storage_key } = await site.db
      .selectFrom('repositories')
      .select('storage_key')
      .where('id', '=', repository.id)
      .executeTakeFirstOrThrow()
    expect(storage_key).toBe(repository.storage_key)
    const found = await call(site, 'GET', `/repos/search?q=${repository.name}`, { as: recipient })
    expect(found.body.data.map((row: { full_name: string }) => row.full_name)).toEqual([there])
    const palette = await (await signIn(site, recipient)).query('search.find', { q: there, limit: 5 })
    expect(palette.data.repositories).toMatchObject([{ owner: recipient.name, name: repository.name }])
  })

  it('redirects all former names with 301, even if the new owner has a repository with such a name', async () => {
    const { owner, recipient, path, repository } = await makeScene()
    await makeRepository(site.db, recipient.account.id, { name: repository.name })
    const renamed = `${repository.name}-now`
    await call(site, 'PATCH', `/repos/${path}`, { as: owner, body: { name: renamed } })
    await transfer(owner, `${owner.name}/${renamed}`, recipient.name)
    expect((await answer(recipient, `${owner.name}/${renamed}`, 'accept')).status).toBe(202)
    for (const old of [path, `${owner.name}/${renamed}`]) {
      const moved = await call(site, 'GET', `/repos/${old}/branches?page=2`)
      const location = `/api/v1/repos/${recipient.name}/${renamed}/branches?page=2`
      expect([moved.status, moved.headers.get('location')]).toEqual([301, location])
    }
  })

  it('removes teams, keys, webhooks, and secrets of the former owner, and keeps collaborators and variables', async () => {
    const { recipient, outsider, orgOwner, org, member } = await makeOrgScene()
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    const path = `${org.name}/${repository.name}`
    const team = await makeTeam(site.db, org.id, { mode: 'write' })
    await addToTeam(site.db, team, member.account.id)
    await attach(site.db, team, repository.id)
    await makeDeployKey(site.db, [repository])
    await makeHook(site, { repository_id: repository.id })
    for (const person of [outsider, recipient]) {
      await call(site, 'PUT', `/repos/${path}/collaborators/${person.name}`, { as: orgOwner, body: {} })
    }
    const variables = `/repos/${path}/actions`
    await call(site, 'PUT', `${variables}/secrets/TOKEN`, { as: orgOwner, body: { data: 'secret' } })
    await call(site, 'POST', `${variables}/variables/REGION`, { as: orgOwner, body: { value: 'eu' } })
    const tokenPath = `${variables}/runners/registration-token`
    const token = (await call(site, 'POST', tokenPath, { as: orgOwner })).body.token
    const effects = await (await signIn(site, orgOwner)).query('repos.transfer.showEffects', {
      owner: org.name,
      repo: repository.name,
      new_owner: recipient.name,
    })
    expect(effects.data).toEqual({
      teams: 2,
      deploy_keys: 1,
      hooks: 1,
      secrets: 1,
      runners: 0,
      runs: 0,
      is_direct: false,
      turns_workflows_off: true,
    })

    const offered = await transfer(orgOwner, path, recipient.name)
    expect([offered.status, offered.body.transfer_effects]).toEqual([201, effects.data])
    expect((await answer(recipient, path, 'accept')).status).toBe(202)
    const now = `/repos/${recipient.name}/${repository.name}`
    const list = async (what: string) => (await call(site, 'GET', `${now}/${what}`, { as: recipient })).body
    expect(await list('keys')).toEqual([])
    expect(await list('hooks')).toEqual([])
    expect((await list('actions/secrets')).length).toBe(0)
    expect((await list('actions/variables')).map((row: { name: string }) => row.name)).toEqual(['REGION'])
    expect((await list('collaborators')).map((row: { login: string }) => row.login)).toEqual([outsider.name])
    for (const as of [orgOwner, member]) expect((await call(site, 'GET', now, { as })).status).toBe(404)
    const renewed = await call(site, 'POST', `${now}/actions/runners/registration-token`, { as: recipient })
    expect(renewed.body.token).not.toBe(token)
    const teams = await site.db
      .selectFrom('teams')
      .select('repository_count')
      .where('id', '=', team.id)
      .executeTakeFirstOrThrow()
    expect(teams.repository_count).toBe(0)
    const ended = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id'])
      .where('owner_id', '=', org.id)
      .where('kind', 'in', [
        'team.repository_removed',
        'deploy_key.removed',
        'hook.removed',
        'secret.removed',
      ])
      .where(sql<boolean>`data ->> 'repositoryId' = ${String(repository.id)}`)
      .orderBy('id')
      .execute()
    const by = recipient.account.id
    expect(ended).toEqual([
      { kind: 'team.repository_removed', actor_id: by },
      { kind: 'team.repository_removed', actor_id: by },
      { kind: 'deploy_key.removed', actor_id: by },
      { kind: 'hook.removed', actor_id: by },
      { kind: 'secret.removed', actor_id: by },
    ])
  })

  it('adds the repository to the selected teams and those that include all repositories', async () => {
    const { owner, member, orgOwner, creator, org, path, there, creators } = await makeOrgScene()
    await addToOrg(site.db, org.id, owner.account.id)
    const wide = await makeTeam(site.db, org.id, { includes_all_repositories: true })
    const named = await makeTeam(site.db, org.id, { mode: 'write' }, { 'repo.code': 'write' })
    await addToTeam(site.db, named, member.account.id)
    const ids = [named.id, wide.id, creators.id]
    const started = await transfer(owner, path, org.name, { team_ids: ids })
    expect(started.status).toBe(201)
    const teams = (answer: Answer) =>
      answer.body.repo_transfer.teams.map((team: { id: number }) => team.id).sort()
    expect(teams(started)).toEqual([...ids].sort())
    await call(site, 'DELETE', `/teams/${creators.id}/members/${owner.name}`, { as: orgOwner })
    await call(site, 'DELETE', `/teams/${creators.id}`, { as: orgOwner })
    expect((await answer(creator, path, 'accept')).status).toBe(404)
    expect((await answer(orgOwner, path, 'accept')).status).toBe(202)
    const listed = await call(site, 'GET', `/repos/${there}/teams`, { as: orgOwner })
    const teamIds = listed.body.map((team: { id: number }) => team.id)
    expect(teamIds).toEqual(expect.arrayContaining([named.id, wide.id]))
    expect((await look(member, there)).body.permissions.push).toBe(true)
  })

  it('returns 403 to those who can see the offer but are not its recipient, and 404 to those who cannot see the offer', async () => {
    const { owner, recipient, outsider, path } = await makeScene()
    await transfer(owner, path, recipient.name)
    for (const verb of ['accept', 'reject'] as const) {
      expect((await answer(owner, path, verb)).status).toBe(403)
      expect((await answer(outsider, path, verb)).status).toBe(404)
      expect((await call(site, 'POST', `/repos/${path}/transfer/${verb}`)).status).toBe(401)
    }
    const quiet = await makeScene()
    expect((await answer(quiet.recipient, quiet.path, 'accept')).status).toBe(404)
  })

  it('returns 403 for a token limited to public data if the recipient is a private organization', async () => {
    const { owner, recipient } = await makeScene()
    const repository = await makeRepository(site.db, owner.account.id)
    const path = `${owner.name}/${repository.name}`
    const org = await makeOrg(site.db, recipient.account.id, { visibility: 'private' })
    await site.db
      .insertInto('repository_transfers')
      .values({ repository_id: repository.id, recipient_id: org.id, doer_id: owner.account.id })
      .execute()
    const token = await makeToken(site, recipient.account.id, ['public-only', 'write:repository'])
    expect((await answer({ ...recipient, token }, path, 'accept')).status).toBe(403)
    expect((await look(owner, path)).body.full_name).toBe(path)
  })

  it('returns 409 if the user who made the offer can no longer sign in', async () => {
    for (const change of [{ prohibit_login: true }, { is_active: false }]) {
      const { owner, recipient, path } = await makeScene()
      await transfer(owner, path, recipient.name)
      await site.db.updateTable('users').set(change).where('id', '=', owner.account.id).execute()
      expect((await answer(recipient, path, 'accept')).status).toBe(409)
      expect((await answer(recipient, path, 'reject')).status).toBe(200)
    }
  })

  it('returns 422 or 409 if the conditions of the offer no longer hold', async () => {
    const { org, orgOwner, recipient, member } = await makeOrgScene()
    const owners = { id: org.ownersTeamId, org_id: org.id }
    await addToTeam(site.db, owners, member.account.id)
    const repository = await makeRepository(site.db, org.id)
    const path = `${org.name}/${repository.name}`
    await transfer(member, path, recipient.name)
    await makeRepository(site.db, recipient.account.id, { name: repository.name })
    expect((await answer(recipient, path, 'accept')).status).toBe(422)
    await call(site, 'PATCH', `/repos/${path}`, { as: orgOwner, body: { name: `${repository.name}-2` } })
    const now = `${path}-2`
    await call(site, 'DELETE', `/teams/${owners.id}/members/${member.name}`, { as: orgOwner })
    expect((await answer(recipient, now, 'accept')).status).toBe(409)
    expect((await answer(recipient, now, 'reject')).status).toBe(200)
  })
})

describe('POST /repos/{owner}/{repo}/transfer/reject', () => {
  it('returns 200, keeps the repository, and shows a recipient who cannot see it only its name', async () => {
    const { owner, recipient, path } = await makeScene({ is_private: true })
    await transfer(owner, path, recipient.name)
    expect((await look(recipient, path)).status).toBe(404)
    const offers = await (await signIn(site, recipient)).query('repos.transfer.listOffers', {})
    expect(offers.data.received).toEqual([
      expect.objectContaining({ owner: owner.name, recipient: recipient.name, doer: owner.name }),
    ])
    const rejected = await answer(recipient, path, 'reject')
    expect([rejected.status, rejected.body.full_name]).toEqual([200, path])
    expect(rejected.text).not.toContain('Sealed')
    expect(rejected.body.permissions).toEqual({ admin: false, push: false, pull: false })
    expect((await look(owner, path)).body).not.toHaveProperty('repo_transfer')
    expect((await transfer(owner, path, recipient.name)).status).toBe(201)
  })
})

describe('a pending transfer', () => {
  it('reveals nothing about a hidden owner to a recipient who declines it', async () => {
    const { owner, recipient, path } = await makeScene({ is_private: true })
    await transfer(owner, path, recipient.name)
    await site.db
      .updateTable('users')
      .set({ visibility: 'private', full_name: 'Veiled Name', location: 'Veiled Place' })
      .where('id', '=', owner.account.id)
      .execute()
    const { status, text, body } = await answer(recipient, path, 'reject')
    expect([status, body.owner.login]).toEqual([200, owner.name])
    expect(text).not.toContain('Veiled')
    expect(text).not.toContain(owner.account.email)
  })

  it('is canceled when one party blocks the other', async () => {
    const first = await makeScene()
    await transfer(first.owner, first.path, first.recipient.name)
    await call(site, 'PUT', `/user/blocks/${first.owner.name}`, { as: first.recipient })
    expect((await look(first.owner, first.path)).body).not.toHaveProperty('repo_transfer')
    const second = await makeOrgScene()
    await transfer(second.owner, second.path, second.org.name)
    const blocks = `/orgs/${second.org.name}/blocks`
    await call(site, 'PUT', `${blocks}/${second.outsider.name}`, { as: second.orgOwner })
    expect((await look(second.owner, second.path)).body).toHaveProperty('repo_transfer')
    await call(site, 'PUT', `${blocks}/${second.owner.name}`, { as: second.orgOwner })
    expect((await look(second.owner, second.path)).body).not.toHaveProperty('repo_transfer')
  })

  it('continues after the repository or the accounts are renamed', async () => {
    const { owner, recipient, path, repository } = await makeScene({ is_private: true })
    await transfer(owner, path, recipient.name)
    await call(site, 'PATCH', `/repos/${path}`, { as: owner, body: { name: `${repository.name}-new` } })
    await site.db
      .updateTable('users')
      .set({ name: `${recipient.name}-now` })
      .where('id', '=', recipient.account.id)
      .execute()
    const accepted = await answer(recipient, `${path}-new`, 'accept')
    expect([accepted.status, accepted.body.full_name]).toEqual([
      202,
      `${recipient.name}-now/${repository.name}-new`,
    ])
  })

  it('is canceled when its recipient or repository is deleted', async () => {
    const root = await makePerson(site, { is_admin: true })
    const first = await makeScene()
    await transfer(first.owner, first.path, first.recipient.name)
    await call(site, 'DELETE', `/admin/users/${first.recipient.name}`, { as: root })
    const left = await look(first.owner, first.path)
    expect([left.status, left.body.repo_transfer]).toEqual([200, undefined])
    expect((await transfer(first.owner, first.path, first.outsider.name)).status).toBe(201)
    await call(site, 'DELETE', `/repos/${first.path}`, { as: first.owner })
    expect((await answer(first.outsider, first.path, 'accept')).status).toBe(404)
  })

  it('is canceled when the account of its recipient or sender is deleted, which notifies the pages of both parties', async () => {
    const root = await makePerson(site, { is_admin: true })
    const { owner, recipient, org, orgOwner, member, repository, path } = await makeOrgScene()
    const received: Signal[] = []
    onTestFinished(hubOf(site.db).listen(signals => void received.push(...signals)))
    const ends = async (deleted: string, ownerId: number, recipientId: number, repositoryId: number) => {
      received.length = 0
      expect((await call(site, 'DELETE', deleted, { as: root })).status).toBe(204)
      expect(received).toContainEqual(
        expect.objectContaining({ kind: 'repository.transfer_canceled', ownerId, repositoryId }),
      )
      expect(received).toContainEqual({ kind: 'transfer.changed', ownerId: recipientId, repositoryId: null })
    }

    const another = await makePerson(site)
    const { body: teams } = await call(site, 'GET', `/orgs/${org.name}/teams`, { as: orgOwner })
    const owners = teams.find(({ name }: { name: string }) => name === 'Owners')
    await call(site, 'PUT', `/teams/${owners.id}/members/${another.name}`, { as: orgOwner })
    const theirs = await makeRepository(site.db, org.id)
    expect((await transfer(another, `${org.name}/${theirs.name}`, member.name)).status).toBe(201)
    await ends(`/admin/users/${another.name}`, org.id, member.account.id, theirs.id)

    await transfer(owner, path, recipient.name)
    await ends(`/admin/users/${recipient.name}`, owner.account.id, recipient.account.id, repository.id)

    const empty = await makeOrg(site.db, orgOwner.account.id)
    await transfer(owner, path, empty.name)
    await ends(`/orgs/${empty.name}`, owner.account.id, empty.id, repository.id)
    expect((await look(owner, path)).body).not.toHaveProperty('repo_transfer')
  })

  it('can be canceled only by owners of the repository', async () => {
    const { owner, recipient, path, repository } = await makeScene()
    await transfer(owner, path, recipient.name)
    const names = { owner: owner.name, repo: repository.name }
    const cancel = async (as: Person) => (await signIn(site, as)).mutate('repos.transfer.cancel', names)
    expect((await cancel(recipient)).error?.data.kind).toBe('forbidden')
    expect((await cancel(owner)).status).toBe(200)
    expect((await cancel(owner)).error?.data.kind).toBe('notFound')
    expect((await answer(recipient, path, 'accept')).status).toBe(404)
  })
})

describe('feeds after a transfer', () => {
  it('name a hidden former owner only to those who can see that account', async () => {
    const root = await makePerson(site, { is_admin: true })
    const { outsider, recipient } = await makeScene()
    const org = await makeOrg(site.db, outsider.account.id, { visibility: 'limited' })
    const repository = await makeRepository(site.db, org.id)
    await transfer(root, `${org.name}/${repository.name}`, recipient.name)
    const contents = async (as?: Person) => {
      const path = `/users/${recipient.name}/activities/feeds`
      const { body } = await call(site, 'GET', path, { ...(as && { as }) })
      return body.map((row: { content: string }) => row.content)
    }
    expect(await contents()).toEqual([''])
    expect(await contents(recipient)).toEqual([`${org.name}/${repository.name}`])
    const hide = site.db.updateTable('users').set({ visibility: 'private' }).where('id', '=', org.id)
    await hide.execute()
    expect(await contents(recipient)).toEqual([''])
    expect(await contents(outsider)).toEqual([`${org.name}/${repository.name}`])
  })

  it('show the transfer to the new owner without earlier events, and keep the former owner’s own entries', async () => {
    const { owner, recipient, outsider, path, repository } = await makeScene()
    await call(site, 'DELETE', `/repos/${path}`, { as: owner })
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: repository.name } })
    await transfer(owner, path, recipient.name)
    await answer(recipient, path, 'accept')
    const feed = async (name: string, query = '') => {
      const { headers, body } = await call(site, 'GET', `/users/${name}/activities/feeds${query}`, {
        as: outsider,
      })
      const total = Number(headers.get('x-total-count'))
      expect(body.length).toBe(total)
      return body.map((row: { op_type: string; content: string }) => `${row.op_type} ${row.content}`.trim())
    }
    expect(await feed(recipient.name)).toEqual([`transfer_repo ${path}`])
    // Users keep entries of their own actions.
    expect(await feed(owner.name)).toEqual(['create_repo'])
    const of = await call(site, 'GET', `/repos/${recipient.name}/${repository.name}/activities/feeds`)
    expect(of.body.map((row: { op_type: string }) => row.op_type)).toEqual(['transfer_repo', 'create_repo'])
  })
})
