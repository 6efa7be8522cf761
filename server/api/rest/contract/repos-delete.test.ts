import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { repositoryPath } from '@/server/repos/storage'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const remove = (as: Person | undefined, path: string): Promise<Answer> => call(site, 'DELETE', path, { as })
const outcome = ({ status, body }: Answer) => [status, body?.message]

async function collaborate(repository_id: number, person: Person, mode: 'write' | 'admin'): Promise<void> {
  await site.db
    .insertInto('repository_collaborators')
    .values({ repository_id, user_id: person.account.id, mode })
    .execute()
}

describe('DELETE /repos/{owner}/{repo}', () => {
  it('returns 204, and deletes the repository and its data immediately', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const path = `/orgs/${org.name}/repos`
    const { body } = await call(site, 'POST', path, { as: owner, body: { name: 'doomed', auto_init: true } })
    const { storage_key } = await site.db
      .selectFrom('repositories')
      .select('storage_key')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    const { config } = site.services
    expect(existsSync(repositoryPath(config, storage_key))).toBe(true)
    expect((await remove(owner, `/repos/${org.name}/doomed`)).status).toBe(204)
    expect((await call(site, 'GET', `/repos/${org.name}/doomed`, { as: owner })).status).toBe(404)
    expect(existsSync(repositoryPath(config, storage_key))).toBe(false)
    expect(await readdir(join(config.repositoryDir, 'intents'))).toEqual([])
    expect(await readdir(join(config.repositoryDir, 'trash'))).toEqual([])
    const { repository_count } = await site.db
      .selectFrom('teams')
      .select('repository_count')
      .where('id', '=', org.ownersTeamId)
      .executeTakeFirstOrThrow()
    expect(repository_count).toBe(0)
  })

  it('returns 204 and records an event that the owner can read', async () => {
    const owner = await makePerson(site)
    const repository = await makeRepository(site.db, owner.account.id)
    await remove(owner, `/repos/${owner.name}/${repository.name}`)
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data', 'repository_id'])
      .where('owner_id', '=', owner.account.id)
      .execute()
    const { id, name } = repository
    const data = { repositoryId: id, name, private: false, shown: expect.objectContaining({ id, name }) }
    expect(events).toEqual([{ kind: 'repository.deleted', data, repository_id: null }])
  })

  it('returns 204 to an owner of the organization, and to a site administrator', async () => {
    const [owner, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const org = await makeOrg(site.db, owner.account.id)
    for (const as of [owner, root]) {
      const { name } = await makeRepository(site.db, org.id, { is_private: true })
      expect((await remove(as, `/repos/${org.name}/${name}`)).status).toBe(204)
    }
  })

  it('returns 204 and 404 to two concurrent requests, and records one event', async () => {
    const owner = await makePerson(site)
    const { name } = await makeRepository(site.db, owner.account.id)
    const path = `/repos/${owner.name}/${name}`
    const answers = await Promise.all([remove(owner, path), remove(owner, path)])
    expect(answers.map(answer => answer.status).sort()).toEqual([204, 404])
    const events = await site.db
      .selectFrom('events')
      .select('id')
      .where('owner_id', '=', owner.account.id)
      .where('kind', '=', 'repository.deleted')
      .execute()
    expect(events).toHaveLength(1)
  })

  it('returns 401 without credentials', async () => {
    const owner = await makePerson(site)
    const { name } = await makeRepository(site.db, owner.account.id)
    expect(outcome(await remove(undefined, `/repos/${owner.name}/${name}`))).toEqual([
      401,
      'token is required',
    ])
  })

  it('returns 403 for a user’s repository to everyone else, even its administrators', async () => {
    const [owner, manager, outsider] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
    ]
    const { id, name } = await makeRepository(site.db, owner.account.id)
    await collaborate(id, manager, 'admin')
    for (const as of [manager, outsider]) {
      expect(outcome(await remove(as, `/repos/${owner.name}/${name}`))).toEqual([
        403,
        'user should be the owner of the repo',
      ])
    }
  })

  it('returns 403 for an organization’s repository to everyone but owners of the organization', async () => {
    const [owner, manager, writer] = [await makePerson(site), await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const { id, name } = await makeRepository(site.db, org.id)
    const team = await makeTeam(site.db, org.id, { mode: 'admin' })
    await addToTeam(site.db, team, manager.account.id)
    await attach(site.db, team, id)
    await collaborate(id, writer, 'write')
    for (const as of [manager, writer]) {
      expect(outcome(await remove(as, `/repos/${org.name}/${name}`))).toEqual([
        403,
        'Given user is not owner of organization.',
      ])
    }
  })

  it('returns 404 for a hidden or absent repository', async () => {
    const [owner, outsider] = [await makePerson(site), await makePerson(site)]
    const { name } = await makeRepository(site.db, owner.account.id, { is_private: true })
    for (const path of [`/repos/${owner.name}/${name}`, `/repos/${owner.name}/nothing`]) {
      expect(outcome(await remove(outsider, path))).toEqual([404, 'not found'])
    }
  })
})
