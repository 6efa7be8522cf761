import { giteaApi } from 'gitea-js'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { secretsFor, variablesFor } from '@/server/secrets'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeScopes() {
  const root = await makePerson(site, { is_admin: true })
  const org = await makeOrg(site.db, root.account.id)
  const repository = await makeRepository(site.db, root.account.id)
  const bases = [
    '/user/actions',
    `/orgs/${org.name}/actions`,
    `/repos/${root.name}/${repository.name}/actions`,
    '/admin/actions',
  ]
  return { root, org, repository, bases, ofRepository: bases[2] ?? '' }
}

const shown = (as: Person, path: string) => call(site, 'GET', path, { as })
const eventsAbout = (name: string) =>
  site.db
    .selectFrom('events')
    .select(['kind', 'data'])
    .where(sql`data ->> 'name'`, '=', name)
    .orderBy('id')
    .execute()

describe('secrets', () => {
  it('can be set (201, then 204), listed without values, and deleted, except for the site', async () => {
    const { root, bases } = await makeScopes()
    for (const base of bases.slice(0, 3)) {
      const path = `${base}/secrets`
      const made = await call(site, 'PUT', `${path}/npm_token`, {
        as: root,
        body: { data: 's3cret', description: 'For the registry' },
      })
      expect([made.status, made.body]).toEqual([
        201,
        expect.objectContaining({ name: 'NPM_TOKEN', description: 'For the registry' }),
      ])
      await call(site, 'PUT', `${path}/A`, { as: root, body: { data: 'x' } })
      const again = await call(site, 'PUT', `${path}/NPM_Token`, { as: root, body: { data: 'other' } })
      expect([again.status, again.text]).toEqual([204, ''])
      const listed = await shown(root, `${path}?limit=1&page=2`)
      expect(listed.headers.get('x-total-count')).toBe('2')
      expect(listed.body).toEqual([
        {
          name: 'NPM_TOKEN',
          description: 'For the registry',
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ])
      expect((await call(site, 'DELETE', `${path}/npm_TOKEN`, { as: root })).status).toBe(204)
      expect((await call(site, 'DELETE', `${path}/npm_TOKEN`, { as: root })).status).toBe(404)
    }
    expect((await shown(root, '/admin/actions/secrets')).status).toBe(404)
  })

  it('are stored sealed and passed to jobs byte for byte', async () => {
    const { root, repository, ofRepository } = await makeScopes()
    const data = '-----BEGIN KEY-----\r\n\tπ\u0001 \n'
    await call(site, 'PUT', `${ofRepository}/secrets/KEY`, { as: root, body: { data } })
    const row = await site.db
      .selectFrom('workflow_variables')
      .select(['value', 'value_sealed'])
      .where('repository_id', '=', repository.id)
      .executeTakeFirstOrThrow()
    expect([row.value, row.value_sealed?.includes('BEGIN')]).toEqual([null, false])
    expect(await secretsFor(site.services, repository)).toEqual({ secrets: { KEY: data }, sealed: [] })
  })

  it.each([
    ['1A', 400],
    ['A-B', 400],
    ['GITHUB_X', 400],
    ['gitea_x', 400],
    ['A'.repeat(256), 400],
    ['_', 201],
    ['GITHUBX', 201],
  ])('named %s return %d', async (name, status) => {
    const { root } = await makeScopes()
    const answer = await call(site, 'PUT', `/user/actions/secrets/${name}`, { as: root, body: { data: 'x' } })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.message).toBe('invalid secret name')
  })

  it.each<[string, object]>([
    ['missing', {}],
    ['empty', { data: '' }],
    ['too long', { data: 'é'.repeat(32 * 1024 + 1) }],
    ['not valid text', { data: 'a\0b' }],
  ])('return 422 for a value that is %s', async (_, body) => {
    const { root } = await makeScopes()
    expect((await call(site, 'PUT', '/user/actions/secrets/A', { as: root, body })).status).toBe(422)
  })

  it('can be set concurrently (201 and 204), and one value is stored', async () => {
    const { root, repository, ofRepository } = await makeScopes()
    const put = (data: string) => call(site, 'PUT', `${ofRepository}/secrets/A`, { as: root, body: { data } })
    const answers = await Promise.all(['1', '2', '3', '4'].map(put))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 204, 204, 204])
    expect(Object.keys((await secretsFor(site.services, repository)).secrets)).toEqual(['A'])
  })

  it('return 422 beyond 1 MiB in total per owner or repository', async () => {
    const { root, ofRepository } = await makeScopes()
    const put = (number: number) =>
      call(site, 'PUT', `${ofRepository}/secrets/A${number}`, {
        as: root,
        body: { data: 'x'.repeat(64 * 1024) },
      })
    const statuses: number[] = []
    for (let number = 0; number < 16; number++) statuses.push((await put(number)).status)
    expect(statuses).toEqual([...Array(15).fill(201), 422])
    expect((await put(0)).status).toBe(204)
  })

  it('are recorded in events by name, never with their value', async () => {
    const { root, ofRepository } = await makeScopes()
    const path = `${ofRepository}/secrets/told_of`
    for (const data of ['hidden 1', 'hidden 2']) await call(site, 'PUT', path, { as: root, body: { data } })
    await call(site, 'DELETE', path, { as: root })
    const events = await eventsAbout('TOLD_OF')
    expect(events.map(({ kind }) => kind)).toEqual(['secret.added', 'secret.edited', 'secret.removed'])
    expect(JSON.stringify(events)).not.toContain('hidden')
  })
})

describe('variables', () => {
  it('can be created, shown, listed, edited, renamed, and deleted for a user, organization, repository, and the site', async () => {
    const { root, org, repository, bases } = await makeScopes()
    const ids = [
      [root.account.id, 0],
      [org.id, 0],
      [0, repository.id],
      [0, 0],
    ]
    for (const [index, base] of bases.entries()) {
      const path = `${base}/variables`
      const name = `REGION_${index}`
      const [owner_id, repo_id] = ids[index] ?? []
      const made = await call(site, 'POST', `${path}/${name.toLowerCase()}`, {
        as: root,
        body: { value: 'eu' },
      })
      const variable = { owner_id, repo_id, name, data: 'eu', description: '' }
      expect([made.status, made.body]).toEqual([201, expect.objectContaining(variable)])
      const twice = await call(site, 'POST', `${path}/${name}`, { as: root, body: { value: 'x' } })
      expect([twice.status, twice.body.message]).toEqual([409, `variable already exists [name: ${name}]`])
      expect((await shown(root, `${path}/${name}`)).body).toEqual(made.body)
      expect((await shown(root, path)).body).toContainEqual(made.body)
      const body = { name: `zone_${index}`, value: 'us', description: 'Where' }
      const edited = await call(site, 'PUT', `${path}/${name}`, { as: root, body })
      expect([edited.status, edited.text]).toEqual([204, ''])
      expect((await shown(root, `${path}/${name}`)).status).toBe(404)
      expect((await shown(root, `${path}/ZONE_${index}`)).body).toMatchObject({
        name: `ZONE_${index}`,
        data: 'us',
        description: 'Where',
      })
      expect((await call(site, 'DELETE', `${path}/zone_${index}`, { as: root })).status).toBe(204)
      expect((await call(site, 'PUT', `${path}/zone_${index}`, { as: root, body })).status).toBe(404)
    }
  })

  it('return 409 for another variable’s name, but not for a secret’s name', async () => {
    const { root, ofRepository } = await makeScopes()
    for (const name of ['A', 'B']) {
      await call(site, 'POST', `${ofRepository}/variables/${name}`, { as: root, body: { value: 'x' } })
    }
    const body = { name: 'b', value: 'x' }
    const renamed = await call(site, 'PUT', `${ofRepository}/variables/A`, { as: root, body })
    expect([renamed.status, renamed.body.message]).toEqual([409, 'variable already exists [name: B]'])
    const secret = await call(site, 'PUT', `${ofRepository}/secrets/A`, { as: root, body: { data: 'x' } })
    expect(secret.status).toBe(201)
  })

  it('return 422 beyond 1,000 per owner or repository', async () => {
    const { root, repository, ofRepository } = await makeScopes()
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      repository_id: repository.id,
      is_secret: false,
      name: `V${at}`,
      value: '',
    }))
    await site.db.insertInto('workflow_variables').values(rows).execute()
    const answer = await call(site, 'POST', `${ofRepository}/variables/A`, { as: root, body: { value: 'x' } })
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The maximum number of variables is 1000. Delete one that is no longer used.',
    ])
  })

  it('are deleted with their owner', async () => {
    const { root, org, bases } = await makeScopes()
    await call(site, 'POST', `${bases[1]}/variables/A`, { as: root, body: { value: 'x' } })
    expect((await call(site, 'DELETE', `/orgs/${org.name}`, { as: root })).status).toBe(204)
    const left = site.db.selectFrom('workflow_variables').select('id').where('owner_id', '=', org.id)
    expect(await left.execute()).toEqual([])
  })
})

it('unmodified gitea-js manages secrets and variables', async () => {
  const { root, org, repository } = await makeScopes()
  const { user, orgs, repos } = giteaApi(site.url, { token: root.token })
  const at = [root.name, repository.name] as const
  expect((await user.updateUserSecret('MINE', { data: 'x' })).status).toBe(201)
  expect((await user.deleteUserSecret('MINE')).status).toBe(204)
  await orgs.updateOrgSecret(org.name, 'OURS', { data: 'x' })
  expect((await orgs.orgListActionsSecrets(org.name)).data).toMatchObject([{ name: 'OURS' }])
  await repos.updateRepoSecret(...at, 'ITS', { data: 'x' })
  expect((await repos.repoListActionsSecrets(...at)).data).toMatchObject([{ name: 'ITS' }])
  await user.createUserVariable('A', { value: '1' })
  await orgs.createOrgVariable(org.name, 'A', { value: '2' })
  await repos.createRepoVariable(...at, 'A', { value: '3' })
  expect((await user.getUserVariable('A')).data).toMatchObject({ name: 'A', data: '1' })
  expect((await orgs.getOrgVariablesList(org.name)).data).toMatchObject([{ name: 'A', data: '2' }])
  await repos.updateRepoVariable(...at, 'A', { name: 'B', value: '4' })
  expect((await repos.getRepoVariable(...at, 'B')).data).toMatchObject({ data: '4' })
  expect(await variablesFor(site.services, repository)).toMatchObject({ A: '1', B: '4' })
  expect((await repos.deleteRepoVariable(...at, 'B')).status).toBe(204)
})
