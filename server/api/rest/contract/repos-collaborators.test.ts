import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const outcome = ({ status, body }: Answer) => [status, body?.message]
const notAdministrator = 'user should be an owner or a collaborator with admin write of a repository'

/** Creates a user's repository with a collaborator of each permission. */
async function makeShared() {
  const [owner, admin, writer, reader, outsider] = [
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
  ]
  const repository = await makeRepository(site.db, owner.account.id)
  const path = `/repos/${owner.name}/${repository.name}/collaborators`
  for (const [person, mode] of [
    [admin, 'admin'],
    [writer, 'write'],
    [reader, 'read'],
  ] as const) {
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repository.id, user_id: person.account.id, mode })
      .execute()
  }
  const on = (method: string, as: Person | undefined, name: string, body?: unknown) =>
    call(site, method, `${path}/${name}`, { as, body })
  return { owner, admin, writer, reader, outsider, repository, path, on }
}

async function modeOf(repositoryId: number, person: Person): Promise<string | undefined> {
  const row = await site.db
    .selectFrom('repository_collaborators')
    .select('mode')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', person.account.id)
    .executeTakeFirst()
  return row?.mode
}

const eventsOf = (repositoryId: number) =>
  site.db
    .selectFrom('events')
    .select(['kind', 'data'])
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()

describe('GET /repos/{owner}/{repo}/collaborators', () => {
  it('returns 200 to any signed-in user who can see the repository, with the count and without Link', async () => {
    const { owner, admin, writer, reader, outsider, path } = await makeShared()
    const logins = [admin, writer, reader].map(person => person.name)
    for (const as of [owner, admin, writer, reader, outsider]) {
      const answer = await call(site, 'GET', path, { as })
      expect(answer.body.map((user: { login: string }) => user.login)).toEqual(logins)
      expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).toEqual(['3', null])
    }
    const second = await call(site, 'GET', `${path}?page=2&limit=2`, { as: owner })
    expect([second.body.length, second.headers.get('x-total-count')]).toEqual([1, '3'])
    const past = await call(site, 'GET', `${path}?page=9`, { as: owner })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '3'])
  })

  it('shows private users only to themselves and to users who can push, as does the single collaborator (204 or 422)', async () => {
    const { owner, admin, writer, reader, outsider, path } = await makeShared()
    await call(site, 'PATCH', `/admin/users/${reader.name}`, {
      as: await makePerson(site, { is_admin: true }),
      body: { visibility: 'private' },
    })
    for (const [as, whole] of [
      [owner, true],
      [writer, true],
      [reader, true],
      [outsider, false],
    ] as const) {
      const answer = await call(site, 'GET', path, { as })
      const logins = [admin.name, writer.name, ...(whole ? [reader.name] : [])]
      expect(answer.body.map((user: { login: string }) => user.login)).toEqual(logins)
      expect(answer.headers.get('x-total-count')).toBe(String(logins.length))
      expect((await call(site, 'GET', `${path}/${reader.name}`, { as })).status).toBe(whole ? 204 : 422)
    }
  })

  it('returns 401 without credentials, and 404 to users who cannot see the repository', async () => {
    const { owner, outsider, repository, path } = await makeShared()
    expect((await call(site, 'GET', path)).status).toBe(401)
    await call(site, 'PATCH', `/repos/${owner.name}/${repository.name}`, {
      as: owner,
      body: { private: true },
    })
    expect((await call(site, 'GET', path, { as: outsider })).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
  it('returns 204 for a collaborator, ignoring case, and 404 for another user', async () => {
    const { writer, reader, outsider, on } = await makeShared()
    expect((await on('GET', writer, reader.name.toUpperCase())).status).toBe(204)
    expect(outcome(await on('GET', writer, outsider.name))).toEqual([404, 'not found'])
  })

  it('returns 204 or 404 to any user about themselves', async () => {
    const { reader, outsider, on } = await makeShared()
    expect((await on('GET', reader, reader.name)).status).toBe(204)
    expect((await on('GET', outsider, outsider.name)).status).toBe(404)
  })

  it('returns 204 or 404 to any signed-in user about others', async () => {
    const { reader, writer, outsider, on } = await makeShared()
    for (const as of [reader, outsider]) {
      expect((await on('GET', as, writer.name)).status).toBe(204)
      expect((await on('GET', as, outsider.name)).status).toBe(404)
    }
  })

  it('returns 422 for an unknown user and for one hidden from the caller', async () => {
    const { owner, on } = await makeShared()
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of ['nobody-here', hidden.name]) {
      expect(outcome(await on('GET', owner, name))).toEqual([
        422,
        `user does not exist [name: ${name}]; only user accounts can be collaborators`,
      ])
    }
  })
})

describe('PUT /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
  it('returns 204, grants the requested permission or write by default, and changes it later', async () => {
    const { owner, admin, outsider, repository, on } = await makeShared()
    expect((await on('PUT', admin, outsider.name)).status).toBe(204)
    expect(await modeOf(repository.id, outsider)).toBe('write')
    for (const permission of ['read', 'admin', 'write']) {
      expect((await on('PUT', owner, outsider.name, { permission })).status).toBe(204)
      expect(await modeOf(repository.id, outsider)).toBe(permission)
    }
  })

  it('returns 204 for a repetition, which records no further event', async () => {
    const { owner, outsider, repository, on } = await makeShared()
    await Promise.all([on('PUT', owner, outsider.name), on('PUT', owner, outsider.name)])
    const whom = { userId: outsider.account.id, user: outsider.name }
    const data = { repositoryId: repository.id, repository: repository.name, ...whom, permission: 'write' }
    expect(await eventsOf(repository.id)).toEqual([{ kind: 'collaborator.added', data }])
  })

  it('returns 204 for a collaborator who became hidden, as does DELETE', async () => {
    const { owner, reader, repository, on } = await makeShared()
    await site.db
      .updateTable('users')
      .set({ visibility: 'private' })
      .where('id', '=', reader.account.id)
      .execute()
    expect((await on('PUT', owner, reader.name, { permission: 'admin' })).status).toBe(204)
    expect((await on('DELETE', owner, reader.name)).status).toBe(204)
    expect(await modeOf(repository.id, reader)).toBeUndefined()
  })

  it('returns 403 to anyone but administrators of the repository', async () => {
    const { writer, reader, outsider, repository, on } = await makeShared()
    for (const as of [writer, reader, outsider]) {
      expect(outcome(await on('PUT', as, outsider.name, { permission: 'admin' }))).toEqual([
        403,
        notAdministrator,
      ])
    }
    expect(await modeOf(repository.id, outsider)).toBeUndefined()
  })

  it.each([
    ['blocked by the owner', 'owner', 'outsider'],
    ['blocked by the administrator who adds them', 'admin', 'outsider'],
    ['who blocks the owner', 'outsider', 'owner'],
  ] as const)('returns 403 for a user %s', async (_, blocker, blocked) => {
    const shared = await makeShared()
    await site.db
      .insertInto('user_blocks')
      .values({ blocker_id: shared[blocker].account.id, blocked_id: shared[blocked].account.id })
      .execute()
    expect(outcome(await shared.on('PUT', shared.admin, shared.outsider.name))).toEqual([
      403,
      'user is blocked',
    ])
    expect(await modeOf(shared.repository.id, shared.outsider)).toBeUndefined()
  })

  it('never leaves a user as collaborator who is blocked concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, outsider, repository, on } = await makeShared()
      const [added, blocked] = await Promise.all([
        on('PUT', owner, outsider.name),
        call(site, 'PUT', `/user/blocks/${owner.name}`, { as: outsider }),
      ])
      expect([204, 403]).toContain(added.status)
      expect(blocked.status).toBe(204)
      expect(await modeOf(repository.id, outsider)).toBeUndefined()
    }
  })

  it('returns 204 to two owners who add each other concurrently', async () => {
    const [one, other] = [await makeShared(), await makeShared()]
    const answers = await Promise.all([
      one.on('PUT', one.owner, other.owner.name),
      other.on('PUT', other.owner, one.owner.name),
    ])
    expect(answers.map(answer => answer.status)).toEqual([204, 204])
  })

  it('returns 422 for the owner, an organization, an unknown user, and an invalid permission', async () => {
    const { owner, admin, outsider, on } = await makeShared()
    const org = await makeOrg(site.db, owner.account.id)
    expect(outcome(await on('PUT', admin, owner.name))).toEqual([
      422,
      'the owner cannot be a collaborator: they already have full access',
    ])
    for (const name of [org.name, 'nobody-here']) expect((await on('PUT', admin, name)).status).toBe(422)
    for (const permission of ['owner', 'none', '', 1]) {
      expect((await on('PUT', admin, outsider.name, { permission })).status).toBe(422)
    }
  })
})

describe('DELETE /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
  it('returns 204 and removes the collaborator, and 204 without an event for a user who is not one', async () => {
    const { admin, reader, outsider, repository, on } = await makeShared()
    for (const person of [reader, reader, outsider]) {
      expect((await on('DELETE', admin, person.name)).status).toBe(204)
    }
    expect(await modeOf(repository.id, reader)).toBeUndefined()
    const whom = { userId: reader.account.id, user: reader.name }
    const data = { repositoryId: repository.id, repository: repository.name, ...whom }
    expect(await eventsOf(repository.id)).toEqual([{ kind: 'collaborator.removed', data }])
  })

  it('returns 204 to collaborators who remove themselves, and records an event', async () => {
    const { writer, reader, repository, on } = await makeShared()
    for (const person of [reader, writer]) {
      expect((await on('DELETE', person, person.name.toUpperCase())).status).toBe(204)
      expect(await modeOf(repository.id, person)).toBeUndefined()
    }
    expect((await eventsOf(repository.id)).map(({ kind }) => kind)).toEqual([
      'collaborator.removed',
      'collaborator.removed',
    ])
  })

  it('returns 403 to others who do not administer the repository, even about themselves', async () => {
    const { writer, reader, outsider, on } = await makeShared()
    expect(outcome(await on('DELETE', writer, reader.name))).toEqual([403, notAdministrator])
    expect(outcome(await on('DELETE', outsider, outsider.name))).toEqual([403, notAdministrator])
  })

  it('returns 422 for an unknown user', async () => {
    const { owner, on } = await makeShared()
    expect((await on('DELETE', owner, 'nobody-here')).status).toBe(422)
  })
})

describe('GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission', () => {
  it('returns 200 with the permission from any source, to administrators and to the user', async () => {
    const [owner, writer, issuesOnly, collaborator, outsider, root] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site, { is_admin: true }),
    ]
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    for (const [person, units] of [
      [writer, { 'repo.code': 'write' }],
      [issuesOnly, { 'repo.issues': 'write' }],
    ] as const) {
      const team = await makeTeam(site.db, org.id, { mode: 'none' }, units)
      await addToTeam(site.db, team, person.account.id)
      await attach(site.db, team, repository.id)
    }
    const path = `/repos/${org.name}/${repository.name}/collaborators`
    const body = { permission: 'admin' }
    await call(site, 'PUT', `${path}/${collaborator.name}`, { as: owner, body })
    const ask = async (about: Person, as: CallOptions['as']) =>
      (await call(site, 'GET', `${path}/${about.name}/permission`, { as })).body
    for (const [person, permission] of [
      [owner, 'owner'],
      [writer, 'write'],
      [issuesOnly, 'none'],
      [collaborator, 'admin'],
      [outsider, 'none'],
      [root, 'owner'],
    ] as const) {
      for (const as of [owner, collaborator, root]) {
        expect(await ask(person, as)).toEqual({
          permission,
          role_name: permission,
          user: expect.objectContaining({ login: person.name }),
        })
      }
    }
    expect(await ask(writer, writer)).toMatchObject({ permission: 'write' })
    expect(await ask(issuesOnly, issuesOnly)).toMatchObject({ permission: 'none' })
  })

  it('returns 403 to non-administrators about others, 401 without credentials, and 404 for an unknown user', async () => {
    const { owner, writer, reader, path } = await makeShared()
    const ask = (name: string, as?: Person) => call(site, 'GET', `${path}/${name}/permission`, { as })
    expect((await ask(reader.name)).status).toBe(401)
    expect((await ask(reader.name, writer)).status).toBe(403)
    expect((await ask('nobody-here', writer)).status).toBe(403)
    expect((await ask('nobody-here', owner)).status).toBe(404)
  })
})
