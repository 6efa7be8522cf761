import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { type CallOptions, call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, type Person, withPassword } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { appRouter } from '../../root'

const site = useSite()

interface Documented {
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>
  parameters?: { name: string; in: string; schema: object }[]
  requestBody?: {
    required: boolean
    content: Record<string, { schema: { properties: Record<string, object>; required?: string[] } }>
  }
}
let document: {
  openapi: string
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, object> }
}
let admin: Person

beforeAll(async () => {
  document = (await call(site, 'GET', '/openapi.json')).body
  admin = await makePerson(site, { is_admin: true })
})

/** Fails unless the document describes the response to this request, including the body. */
async function expectAsDocumented(
  method: string,
  template: string,
  path: string,
  body?: unknown,
  as: CallOptions['as'] = admin,
) {
  const answer = await call(site, method, path, { as, body })
  const documented = document.paths[template]?.[method.toLowerCase()]?.responses[answer.status]
  expect(documented, `${method} ${template} does not document ${answer.status}`).toBeDefined()
  const schema = documented?.content?.['application/json']?.schema
  if (!schema) {
    expect(answer.text).toBe('')
    return answer
  }
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  const check = ajv.compile({ ...schema, components: document.components })
  check(answer.body)
  expect(check.errors ?? [], answer.text).toEqual([])
  return answer
}

async function expectStatus(status: number, ...asked: Parameters<typeof expectAsDocumented>) {
  const answer = await expectAsDocumented(...asked)
  expect(answer.status, answer.text).toBe(status)
  return answer
}

describe('the OpenAPI document', () => {
  // Our HTTP server leaves these redirects to Next.
  it.skipIf(mount !== 'next')('can be reached at the addresses of Gitea’s documents', async () => {
    for (const address of ['/swagger.v1.json', '/openapi3.v1.json']) {
      const { status, headers } = await fetch(`${site.url}${address}`, { redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([307, '/api/v1/openapi.json'])
    }
  })

  it('is not sent again to a client that has it', async () => {
    const address = `${site.url}/api/v1/openapi.json`
    const etag = (await fetch(address)).headers.get('etag') ?? ''
    const again = await fetch(address, { headers: { 'If-None-Match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetch(address, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  it('lists 431 for every operation', () => {
    for (const path of Object.values(document.paths)) {
      for (const { responses } of Object.values(path)) expect(responses).toHaveProperty('431')
    }
  })

  it('gives each input a single type, and requires a body only if one of its fields is required', () => {
    const operations = Object.values(document.paths).flatMap(path => Object.values(path))
    const inputs = operations.flatMap(({ parameters = [], requestBody }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content['application/json']?.schema.properties ?? {}),
    ])
    expect(inputs.filter(schema => 'type' in schema && 'anyOf' in schema)).toEqual([])
    for (const { requestBody } of operations) {
      if (requestBody === undefined) continue
      const [content] = Object.values(requestBody.content)
      const { required = [] } = content?.schema ?? {}
      expect(requestBody.required).toBe(required.length > 0)
    }
  })

  it('describes an uploaded file as a form field or a raw body, with a name in the query', () => {
    const { parameters, requestBody } =
      document.paths['/repos/{owner}/{repo}/releases/{id}/assets']?.post ?? {}
    const contents = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])
    const file = { type: 'string', format: 'binary' }
    expect(Object.fromEntries(contents)).toMatchObject({
      'multipart/form-data': { required: ['attachment'], properties: { attachment: file } },
      'application/octet-stream': file,
    })
    const inQuery = parameters?.filter(parameter => parameter.in === 'query').map(parameter => parameter.name)
    expect(inQuery).toEqual(['name', 'replace'])
  })

  it('describes every filter of lists of webhooks, deliveries, and events', () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!path.includes('/hooks')) continue
      for (const { name, in: location, schema } of get?.parameters ?? []) {
        if (location === 'query') expect(schema, `${name} of ${path}`).toHaveProperty('description')
      }
    }
  })

  it('is version 3.1 and covers all REST procedures and the downloads that have no procedure', () => {
    const projected = Object.values(
      appRouter._def.procedures as unknown as Record<
        string,
        { _def: { meta?: { openapi?: { method: string; path: string } } } }
      >,
    )
      .flatMap(procedure => procedure._def.meta?.openapi ?? [])
      .map(({ method, path }) => `${method} ${path}`)
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(document.openapi).toBe('3.1.0')
    const files = [
      'GET /repos/{owner}/{repo}/archive/{archive}',
      'GET /repos/{owner}/{repo}/tarball/{ref}',
      'GET /repos/{owner}/{repo}/zipball/{ref}',
      'GET /repos/{owner}/{repo}/bundle/{ref}',
      'GET /repos/{owner}/{repo}/raw/{path}',
      'GET /repos/{owner}/{repo}/git/commits/{sha}.{diffType}',
      'GET /repos/{owner}/{repo}/media/{path}',
      'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip',
      'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip/raw',
      'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
    ]
    expect(documented.sort()).toEqual([...projected, ...files].sort())
  })

  it('references only schemas that it contains', () => {
    const names = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([\w.]+)/g)].map(
      match => match[1],
    )
    for (const name of names) expect(document.components.schemas).toHaveProperty([name ?? ''])
  })

  it('describes lists as arrays with pagination headers', async () => {
    const answer = await expectAsDocumented('GET', '/user/keys', '/user/keys?limit=1')
    expect(Array.isArray(answer.body)).toBe(true)
    expect(Object.keys(document.paths['/user/keys']?.get?.responses['200']?.headers ?? {})).toEqual([
      'X-Total-Count',
      'Link',
    ])
  })

  it('assigns inputs to the path, the query, and the body', () => {
    const block = document.paths['/user/blocks/{username}']?.put
    expect(block?.parameters?.map(({ name, in: location }) => `${location} ${name}`).sort()).toEqual([
      'path username',
      'query note',
    ])
    expect(block?.requestBody).toBeUndefined()
    expect(Object.keys(block?.responses ?? {})).not.toContain('413')
    const add = document.paths['/user/keys']?.post?.requestBody?.content['application/json']?.schema
    expect(Object.keys(add?.properties ?? {})).toEqual(['title', 'key', 'read_only', 'expires_at'])
  })

  it('describes actual responses, both successes and failures', async () => {
    const key = await makeKey(site.db, admin.account.id)
    const stranger = await makePerson(site)
    const name = admin.name
    await expectAsDocumented('GET', '/user', '/user')
    await expectAsDocumented('GET', '/version', '/version')
    for (const part of ['api', 'ui', 'attachment', 'repository']) {
      await expectAsDocumented('GET', `/settings/${part}`, `/settings/${part}`)
    }
    await expectAsDocumented('GET', '/user/emails', '/user/emails')
    await expectAsDocumented('GET', '/user/settings', '/user/settings')
    await expectAsDocumented('GET', '/users/search', '/users/search?q=user')
    await expectAsDocumented('GET', '/users/{username}', `/users/${name}`)
    await expectAsDocumented('GET', '/users/{username}', '/users/nobody-here')
    await expectAsDocumented('GET', '/admin/users', '/admin/users')
    await expectAsDocumented('GET', '/user/keys/{id}', `/user/keys/${key.id}`)
    await expectAsDocumented('GET', '/user/keys/{id}', '/user/keys/abc')
    await expectAsDocumented('GET', '/users/{username}/keys', `/users/${name}/keys`)
    await expectAsDocumented('POST', '/user/keys', '/user/keys', { title: 'one', key: newKey().text })
    await expectAsDocumented('POST', '/user/keys', '/user/keys', { title: 'two' })
    await expectAsDocumented('DELETE', '/user/keys/{id}', `/user/keys/${key.id}`, undefined, stranger)
    await expectAsDocumented('DELETE', '/user/keys/{id}', `/user/keys/${key.id}`)
    await expectAsDocumented('GET', '/admin/users', '/admin/users', undefined, stranger)
    await expectAsDocumented('PUT', '/user/blocks/{username}', `/user/blocks/${stranger.name}?note=x`)
    await expectAsDocumented('PUT', '/user/blocks/{username}', `/user/blocks/${stranger.name}`)
    await expectAsDocumented('GET', '/user/blocks', '/user/blocks')
    const endless = `/user/blocks/${stranger.name}?note=${'x'.repeat(256)}`
    await expectStatus(422, 'PUT', '/user/blocks/{username}', endless)
    await expectStatus(400, 'DELETE', '/user/blocks/{username}', `/user/blocks/${name}`)
  })

  it('describes the errors that administrators receive', async () => {
    const username = `refused-${randomUUID().slice(0, 8)}`
    const body = { username, email: `${username}@example.test` }
    await expectStatus(400, 'POST', '/admin/users', '/admin/users', body)
    await expectStatus(422, 'POST', '/admin/users', '/admin/users', {
      ...body,
      password: 'long enough',
      email: 1,
    })
    const stranger = await makePerson(site)
    const path = '/admin/users/{username}'
    await expectStatus(400, 'PATCH', path, `/admin/users/${stranger.name}`, { password: 'short' })
    await expectStatus(400, 'PATCH', path, `/admin/users/${stranger.name}`, { email: admin.account.email })
    await expectStatus(422, 'PATCH', path, `/admin/users/${stranger.name}`, { email: 1 })
    await expectStatus(404, 'PATCH', path, '/admin/users/nobody-here', {})
    await expectStatus(422, 'DELETE', path, `/admin/users/${admin.name}`)
    await expectStatus(404, 'DELETE', path, '/admin/users/nobody-here')
  })

  it('describes the responses of token operations', async () => {
    const as = withPassword(admin)
    const tokens = `/users/${admin.name}/tokens`
    const template = '/users/{username}/tokens'
    const body = { name: 'first', scopes: ['all'] }
    const first = await expectStatus(201, 'POST', template, tokens, body, as)
    await expectStatus(400, 'POST', template, tokens, body, as)
    await expectStatus(422, 'POST', template, tokens, { scopes: ['all'] }, as)
    await expectStatus(201, 'POST', template, tokens, { ...body, name: String(first.body.id) }, as)
    await expectStatus(200, 'GET', template, tokens, undefined, as)
    const one = (text: string | number) => `${tokens}/${text}`
    await expectStatus(422, 'DELETE', `${template}/{token}`, one(first.body.id), undefined, as)
    await expectStatus(404, 'DELETE', `${template}/{token}`, one('nothing'), undefined, as)
    await expectStatus(204, 'DELETE', `${template}/{token}`, one('first'), undefined, as)
  })

  it('does not list 422 for user searches, which ignore invalid numbers', async () => {
    for (const query of ['uid=abc', 'uid=-1', 'page=x', 'limit=x']) {
      await expectStatus(200, 'GET', '/users/search', `/users/search?${query}`)
    }
    expect(Object.keys(document.paths['/users/search']?.get?.responses ?? {})).not.toContain('422')
  })
})
