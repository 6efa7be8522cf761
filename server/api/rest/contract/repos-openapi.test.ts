import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

interface Documented {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
let document: { paths: Record<string, Record<string, Documented>>; components: object }
let ada: Person
let bob: Person
let values: Record<string, string>

beforeAll(async () => {
  document = (await call(site, 'GET', '/openapi.json')).body
  ada = await makePerson(site, { is_admin: true })
  bob = await makePerson(site)
  const org = await makeOrg(site.db, ada.account.id)
  values = { owner: ada.name, repo: 'r', org: org.name, username: ada.name, collaborator: bob.name }
})

/** Fails unless the response has this status and the document describes it, including the body. */
async function expectDocumented(status: number, method: string, template: string, body?: unknown, as = ada) {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  const answer = await call(site, method, path, { as, body })
  expect([method, path, answer.status, answer.text]).toEqual([method, path, status, answer.text])
  const documented = document.paths[template]?.[method.toLowerCase()]?.responses[status]
  expect(documented, `${method} ${template} does not document ${status}`).toBeDefined()
  const schema = documented?.content?.['application/json']?.schema
  if (!schema) return expect(answer.text).toBe('')
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  const check = ajv.compile({ ...schema, components: document.components })
  check(answer.body)
  expect(check.errors ?? [], answer.text).toEqual([])
}

it('the OpenAPI document describes the actual responses of repository operations', async () => {
  const repo = '/repos/{owner}/{repo}'
  const collaborator = `${repo}/collaborators/{collaborator}`
  await expectDocumented(201, 'POST', '/user/repos', { name: 'r', auto_init: true })
  await expectDocumented(409, 'POST', '/user/repos', { name: 'R' })
  await expectDocumented(400, 'POST', '/user/repos', { name: 'x', auto_init: true, license: 'none' })
  await expectDocumented(422, 'POST', '/user/repos', { name: '..' })
  for (const [list, name] of [
    ['/licenses', 'MIT'],
    ['/gitignore/templates', 'Go'],
  ] as const) {
    await expectDocumented(200, 'GET', list)
    values.name = name
    await expectDocumented(200, 'GET', `${list}/{name}`)
    values.name = 'none'
    await expectDocumented(404, 'GET', `${list}/{name}`)
  }
  await expectDocumented(201, 'POST', '/orgs/{org}/repos', { name: 'r' })
  await expectDocumented(403, 'POST', '/orgs/{org}/repos', { name: 'x' }, bob)
  await expectDocumented(201, 'POST', '/org/{org}/repos', { name: 's' })
  await expectDocumented(409, 'POST', '/admin/users/{username}/repos', { name: 'r' })
  for (const list of ['/user/repos', '/users/{username}/repos', '/orgs/{org}/repos', '/repos/search']) {
    await expectDocumented(200, 'GET', list)
  }
  await expectDocumented(200, 'GET', repo)
  await expectDocumented(200, 'PATCH', repo, { description: 'x' })
  await expectDocumented(422, 'PATCH', repo, { default_branch: 'a..b' })
  await expectDocumented(403, 'PATCH', repo, {}, bob)
  await expectDocumented(200, 'GET', `${repo}/branches`)
  await expectDocumented(200, 'GET', `${repo}/tags`)
  values.branch = 'main'
  await expectDocumented(200, 'GET', `${repo}/branches/{branch}`)
  await expectDocumented(403, 'DELETE', `${repo}/branches/{branch}`)
  values.branch = 'none'
  await expectDocumented(404, 'DELETE', `${repo}/branches/{branch}`)
  values.tag = 'none'
  await expectDocumented(404, 'DELETE', `${repo}/tags/{tag}`)
  await expectDocumented(404, 'GET', `${repo}/tags/{tag}`)
  await expectDocumented(204, 'PUT', collaborator, { permission: 'admin' })
  await expectDocumented(422, 'PUT', collaborator, { permission: 'x' })
  await expectDocumented(204, 'GET', collaborator)
  await expectDocumented(200, 'GET', `${repo}/collaborators`)
  await expectDocumented(200, 'GET', `${collaborator}/permission`)
  await expectDocumented(204, 'DELETE', collaborator)
  await expectDocumented(403, 'DELETE', collaborator, undefined, bob)
  await expectDocumented(201, 'POST', `${repo}/keys`, { title: 'ci', key: newKey().text })
  await expectDocumented(422, 'POST', `${repo}/keys`, { title: 'ci', key: newKey().text })
  await expectDocumented(403, 'POST', `${repo}/keys`, {}, bob)
  await expectDocumented(200, 'GET', `${repo}/keys`)
  values.id = String((await call(site, 'GET', `/repos/${ada.name}/r/keys`, { as: ada })).body[0].id)
  await expectDocumented(200, 'GET', `${repo}/keys/{id}`)
  await expectDocumented(204, 'DELETE', `${repo}/keys/{id}`)
  await expectDocumented(404, 'GET', `${repo}/keys/{id}`)
  await expectDocumented(403, 'DELETE', repo, undefined, bob)
  await expectDocumented(204, 'DELETE', repo)
  await expectDocumented(404, 'DELETE', repo)
})

it('the OpenAPI document lists the 422 that GET /repos/search returns for an unknown sort mode', async () => {
  const answer = await call(site, 'GET', '/repos/search?sort=x')
  expect(answer.status).toBe(422)
  expect(document.paths['/repos/search']?.get?.responses).toHaveProperty('422')
})
