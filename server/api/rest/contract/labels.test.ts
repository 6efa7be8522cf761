// @module-tag embedded
import { giteaApi } from 'gitea-js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let org: { id: number; name: string }
let repository: { id: number; name: string }
const at = { repo: '', org: '' }

beforeAll(async () => {
  ada = await makePerson(site)
})
beforeEach(async () => {
  org = await makeOrg(site.db, ada.account.id)
  repository = await makeRepository(site.db, org.id)
  at.repo = `/repos/${org.name}/${repository.name}/labels`
  at.org = `/orgs/${org.name}/labels`
})

type As = { token: string } | null
const ask = (method: string, path: string, body?: object, as: As = ada) =>
  call(site, method, path, { ...(as && { as }), ...(body && { body }) })
const names = async (path: string) => (await ask('GET', path)).body.map(({ name }: { name: string }) => name)
const bug = { name: 'bug', color: '#EE0701' }

describe.each(['repo', 'org'] as const)('labels of the kind %s', kind => {
  it('POST returns 201 and the label, GET the same by ID and by name', async () => {
    const full = { ...bug, name: ' Kind/Bug ', description: 'Broken', exclusive: true, is_archived: true }
    const { status, body } = await ask('POST', at[kind], full)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Kind/Bug',
      color: 'ee0701',
      description: 'Broken',
      exclusive: true,
      is_archived: true,
      url: `${site.url}/api/v1${at[kind]}/${body.id}`,
    })
    for (const key of [body.id, 'Kind%2FBug'])
      expect((await ask('GET', `${at[kind]}/${key}`)).body).toEqual(body)
    for (const key of [body.id + 1, 'kind%2Fbug', 'none'])
      expect((await ask('GET', `${at[kind]}/${key}`)).status).toBe(404)
    const plain = await ask('POST', at[kind], bug)
    expect(plain.body).toMatchObject({ description: '', exclusive: false, is_archived: false })
  })

  it.each([
    ['#00aabb', '00aabb'],
    ['00AABB', '00aabb'],
    ['0ab', '00aabb'],
    ['#0Ab', '00aabb'],
  ])('POST accepts the color %s as %s', async (color, shown) => {
    expect((await ask('POST', at[kind], { name: 'x', color })).body.color).toBe(shown)
  })

  it.each([
    ['no name', { color: '0ab' }],
    ['an empty name', { name: ' ', color: '0ab' }],
    ['a name of more than 100 characters', { name: 'x'.repeat(101), color: '0ab' }],
    ['a name of two lines', { name: 'a\nb', color: '0ab' }],
    ['no color', { name: 'x' }],
    ['the name of a color', { name: 'x', color: 'red' }],
    ['a color of five digits', { name: 'x', color: '#12345' }],
    ['a description of more than 1,000 characters', { ...bug, description: 'x'.repeat(1001) }],
    ['a word instead of true', { ...bug, exclusive: 'yes' }],
  ])('POST returns 422 for %s', async (_, body) => {
    expect((await ask('POST', at[kind], body)).status).toBe(422)
    expect(await names(at[kind])).toEqual([])
  })

  it('GET returns pages with X-Total-Count and without Link, byte by byte in the order of the names', async () => {
    for (const name of ['alpha', 'Zed', 'beta', 'alpha']) await ask('POST', at[kind], { name, color: '0ab' })
    expect(await names(at[kind])).toEqual(['Zed', 'alpha', 'alpha', 'beta'])
    expect(await names(`${at[kind]}?sort=reversealphabetically`)).toEqual(['beta', 'alpha', 'alpha', 'Zed'])
    for (const sort of ['leastissues', 'mostissues', 'other'])
      expect(await names(`${at[kind]}?sort=${sort}`)).toEqual(['Zed', 'alpha', 'alpha', 'beta'])
    const { headers, body } = await ask('GET', `${at[kind]}?limit=3&page=2`)
    expect([body.length, headers.get('x-total-count'), headers.get('link')]).toEqual([1, '4', null])
  })

  it('PATCH returns 200 and keeps absent fields', async () => {
    const { body } = await ask('POST', at[kind], {
      ...bug,
      description: 'Broken',
      exclusive: true,
      is_archived: true,
    })
    const path = `${at[kind]}/${body.id}`
    expect((await ask('PATCH', path, { name: 'fault' })).body).toEqual({ ...body, name: 'fault' })
    expect((await ask('PATCH', path, {})).body).toEqual({ ...body, name: 'fault' })
    const changed = { color: '0ab', description: '', exclusive: false, is_archived: false }
    const { body: after } = await ask('PATCH', path, changed)
    expect(after).toEqual({ ...body, ...changed, name: 'fault', color: '00aabb' })
    expect((await ask('GET', path)).body).toEqual(after)
    for (const refused of [{ name: '' }, { color: 'red' }])
      expect((await ask('PATCH', path, refused)).status).toBe(422)
    for (const missing of [body.id + 1, 'fault'])
      expect((await ask('PATCH', `${at[kind]}/${missing}`, { name: 'x' })).status).toBe(404)
  })

  it('DELETE returns 204, also if there is no such label, and leaves labels of others', async () => {
    const { body } = await ask('POST', at[kind], bug)
    const elsewhere = await ask('POST', at[kind === 'repo' ? 'org' : 'repo'], bug)
    for (const id of [elsewhere.body.id, body.id, body.id])
      expect((await ask('DELETE', `${at[kind]}/${id}`)).status).toBe(204)
    expect(await names(at[kind])).toEqual([])
    expect(await names(at[kind === 'repo' ? 'org' : 'repo'])).toEqual(['bug'])
  })

  it('POST returns 422 for the 1,001st label, also if several are created at the same time', async () => {
    const holder = kind === 'repo' ? { repository_id: repository.id } : { org_id: org.id }
    const rows = Array.from({ length: 999 }, (_, index) => ({ ...holder, name: `${index}`, color: 'ffffff' }))
    await site.db.insertInto('labels').values(rows).execute()
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', at[kind], bug)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })
})

describe('labels of a repository', () => {
  it('can be written by people who can write issues or pull requests, with tokens for issues', async () => {
    const [writer, reader] = [await makePerson(site), await makePerson(site)]
    for (const [person, permission] of [
      [writer, 'write'],
      [reader, 'read'],
    ] as const) {
      const path = `/repos/${org.name}/${repository.name}/collaborators/${person.name}`
      await ask('PUT', path, { permission })
    }
    const token = async (scope: 'write:issue' | 'read:issue' | 'write:repository') => ({
      token: await makeToken(site, writer.account.id, [scope]),
    })
    const status = async (as: As) => (await ask('POST', at.repo, bug, as)).status
    expect([await status(writer), await status(reader), await status(null)]).toEqual([201, 403, 401])
    expect(await status(await token('write:issue'))).toBe(201)
    expect(await status(await token('read:issue'))).toBe(403)
    expect(await status(await token('write:repository'))).toBe(403)
    const read = async (as: As) => (await ask('GET', at.repo, undefined, as)).status
    expect([await read(null), await read(await token('read:issue'))]).toEqual([200, 200])
    expect(await read(await token('write:repository'))).toBe(403)
  })

  it.each([
    ['repo.issues', 201],
    ['repo.pulls', 201],
    ['repo.code', 403],
  ] as const)('can be created by a team that can write %s alone: %i', async (unit, expected) => {
    const member = await makePerson(site)
    const team = await makeTeam(site.db, org.id, { mode: 'write' }, { [unit]: 'write' })
    await addToOrg(site.db, org.id, member.account.id)
    await addToTeam(site.db, team, member.account.id)
    await attach(site.db, team, repository.id)
    expect((await ask('POST', at.repo, bug, member)).status).toBe(expected)
    expect((await ask('GET', at.repo, undefined, member)).status).toBe(200)
    const topics = `/repos/${org.name}/${repository.name}/topics`
    expect((await ask('GET', topics, undefined, member)).status).toBe(200)
  })

  it('can be changed in an archived repository, and stay with it after a transfer', async () => {
    const path = `/repos/${org.name}/${repository.name}`
    await ask('PATCH', path, { archived: true })
    expect((await ask('POST', at.repo, bug)).status).toBe(201)
    await ask('PATCH', path, { archived: false })
    await ask('POST', `${path}/transfer`, { new_owner: ada.name })
    expect(await names(`/repos/${ada.name}/${repository.name}/labels`)).toEqual(['bug'])
    await ask('DELETE', `/repos/${ada.name}/${repository.name}`)
    const left = site.db.selectFrom('labels').select('id').where('repository_id', '=', repository.id)
    expect(await left.execute()).toEqual([])
  })
})

describe('labels of an organization', () => {
  it('can be read by visitors as a list but not one by one, and written by owners with tokens for organizations', async () => {
    const { body } = await ask('POST', at.org, bug)
    const member = await makePerson(site)
    const status = async (method: string, path: string, as: As) =>
      (await ask(method, path, method === 'GET' ? undefined : bug, as)).status
    expect(await status('GET', at.org, null)).toBe(200)
    expect(await status('GET', `${at.org}/${body.id}`, null)).toBe(401)
    expect(await status('GET', `${at.org}/${body.id}`, member)).toBe(200)
    expect(await status('POST', at.org, member)).toBe(403)
    expect(await status('POST', at.org, null)).toBe(401)
    const token = await makeToken(site, ada.account.id, ['write:issue', 'write:repository'])
    expect(await status('POST', at.org, { token })).toBe(403)
  })
})

describe('GET /label/templates', () => {
  it('returns the names of the templates, whose labels a new repository gets by issue_labels', async () => {
    const { body: templates } = await ask('GET', '/label/templates', undefined, null)
    expect(templates).toEqual(['Advanced', 'Default'])
    for (const template of templates) {
      const { body: labels } = await ask('GET', `/label/templates/${template}`, undefined, null)
      const name = `from-${template.toLowerCase()}`
      expect((await ask('POST', '/user/repos', { name, issue_labels: template })).status).toBe(201)
      const { body: made } = await ask('GET', `/repos/${ada.name}/${name}/labels?limit=50`)
      const fields = ({ name, color, description, exclusive }: Record<string, unknown>) =>
        [name, color, description, exclusive].join()
      expect(made.map(fields)).toEqual(labels.map(fields).sort())
      expect(labels.length).toBeGreaterThan(5)
    }
    expect((await ask('GET', '/label/templates/none')).status).toBe(404)
    const unknown = await ask('POST', '/user/repos', { name: 'unknown', issue_labels: 'none' })
    expect(unknown.status).toBe(400)
  })
})

describe('unmodified gitea-js', () => {
  it('creates, reads, edits, lists, and deletes labels of repositories and organizations', async () => {
    const { repos: issues, orgs, label } = giteaApi(site.url, { token: ada.token })
    const repo = [org.name, repository.name] as const
    const { data: made } = await issues.issueCreateLabel(...repo, { name: 'bug', color: '#ee0701' })
    const id = Number(made.id)
    expect((await issues.issueGetLabel(...repo, id)).data).toEqual(made)
    await issues.issueEditLabel(...repo, id, { description: 'Broken' })
    const { data: labels } = await issues.issueListLabels(...repo)
    expect(labels).toEqual([{ ...made, description: 'Broken' }])
    expect((await issues.issueDeleteLabel(...repo, id)).status).toBe(204)
    const { data: shared } = await orgs.orgCreateLabel(org.name, { name: 'all', color: '0ab' })
    expect((await orgs.orgGetLabel(org.name, Number(shared.id))).data).toEqual(shared)
    await orgs.orgEditLabel(org.name, Number(shared.id), { is_archived: true })
    expect((await orgs.orgListLabels(org.name)).data).toEqual([{ ...shared, is_archived: true }])
    expect((await orgs.orgDeleteLabel(org.name, Number(shared.id))).status).toBe(204)
    expect((await label.listLabelTemplates()).data).toContain('Default')
    expect((await label.getLabelTemplateInfo('Default')).data[0]).toMatchObject({ name: 'bug' })
  })
})
