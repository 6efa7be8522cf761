import { expect, it } from 'vitest'
import { type ApiDescription, blankOf, groupsOf, narrowed, sampleOf, typeName } from './description'
import { exampleOf } from './examples'
import { addressOf } from './request'

const description: ApiDescription = {
  paths: {
    '/user/keys': {
      get: {
        operationId: 'keys-list',
        summary: 'List your SSH keys',
        tags: ['keys'],
        security: [{ token: [] }],
        parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } }],
        responses: {},
      },
      post: {
        operationId: 'keys-add',
        tags: ['keys'],
        security: [{ token: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: {} } } },
        responses: {},
      },
    },
    '/users/{username}': {
      get: {
        operationId: 'users-get',
        tags: ['user'],
        security: [{}, { token: [] }],
        parameters: [{ in: 'path', name: 'username', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
    '/version': { get: { operationId: 'version', responses: {} } },
  },
}
const groups = groupsOf(description)
const call = (id: string) => {
  const found = groups.flatMap(({ calls }) => calls).find(one => one.id === id)
  if (!found) throw new Error(id)
  return found
}

it('groupsOf sorts endpoints into groups, and states whether each one requires authentication', () => {
  expect(groups.map(({ title }) => title)).toEqual(['User', 'Keys', 'Other'])
  expect(call('keys-list').credentials).toBe('needed')
  expect(call('users-get').credentials).toBe('welcome')
  expect(call('version').credentials).toBe('none')
})

it('narrowed returns the endpoints that contain every word of a text, in any order and regardless of case', () => {
  const found = (text: string) => narrowed(groups, text).flatMap(({ calls }) => calls.map(({ id }) => id))
  expect(found('KEYS post')).toEqual(['keys-add'])
  expect(found('ssh list')).toEqual(['keys-list'])
  expect(found('/users/')).toEqual(['users-get'])
  expect(found('nothing such')).toEqual([])
})

it('sampleOf returns plausible values, even for recursive schemas and numbers with a very low minimum', () => {
  const schemas = {
    Person: {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: -9007199254740991 },
        email: { type: 'string', format: 'email' },
        kind: { type: 'string', enum: ['', 'user'] },
        friends: { type: 'array', items: { $ref: '#/components/schemas/Person' } },
      },
    },
  }
  const sample = sampleOf({ $ref: '#/components/schemas/Person' }, schemas)
  expect(sample).toMatchObject({ id: 1, email: 'ada@example.com', kind: 'user' })
  expect(typeName({ type: 'array', items: { $ref: '#/components/schemas/Person' } }, schemas)).toBe(
    'array of Person',
  )
})

it('blankOf returns only the required fields of a request body, with empty strings for free text', () => {
  const schemas = {
    Option: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        email: { type: 'string', format: 'email' },
        visibility: { type: 'string', enum: ['public', 'private'] },
        private: { type: 'boolean' },
        owner: { type: 'object', properties: { id: { type: 'integer' }, note: {} }, required: ['id'] },
      },
      required: ['name', 'email', 'visibility', 'owner'],
    },
    Edit: { type: 'object', properties: { name: { type: 'string' }, private: { type: 'boolean' } } },
  }
  expect(blankOf({ $ref: '#/components/schemas/Option' }, schemas)).toEqual({
    name: '',
    email: 'ada@example.com',
    visibility: 'public',
    owner: { id: 1 },
  })
  expect(blankOf({ $ref: '#/components/schemas/Edit' }, schemas)).toEqual({})
})

it('addressOf encodes parameters, and exampleOf quotes curl arguments for the shell and writes TOKEN for the access token', () => {
  const input = { values: { username: "o'hara/x", page: '2' }, body: `{"title":"ada's"}` }
  expect(addressOf(call('users-get'), '/api/v1', input)).toBe("/api/v1/users/o'hara%2Fx")
  expect(addressOf(call('users-get'), '/api/v1', { values: {}, body: '' })).toBe('/api/v1/users/{username}')
  expect(addressOf(call('keys-list'), '/api/v1', input)).toBe('/api/v1/user/keys?page=2')
  expect(exampleOf('curl', call('keys-add'), 'http://localhost/api/v1/user/keys', input)).toBe(
    "curl -X POST -H 'Authorization: token TOKEN' -H 'Content-Type: application/json' " +
      String.raw`-d '{"title":"ada'\''s"}' http://localhost/api/v1/user/keys`,
  )
})

it('exampleOf embeds the exact body in JavaScript and Python, and writes a token placeholder only if authentication is required', () => {
  const input = { values: {}, body: '{"title":"it\'s \\"x\\""}' }
  const address = 'http://localhost/api/v1/user/keys'
  const add = call('keys-add')
  expect(exampleOf('JavaScript', add, address, input)).toContain(
    String.raw`body: "{\"title\":\"it's \\\"x\\\"\"}"`,
  )
  expect(exampleOf('Python', add, address, input)).toContain(
    String.raw`data="{\"title\":\"it's \\\"x\\\"\"}".encode()`,
  )
  for (const language of ['curl', 'JavaScript', 'Python'] as const) {
    expect(exampleOf(language, add, address, input)).toContain('token TOKEN')
    expect(exampleOf(language, call('version'), address, input)).not.toContain('TOKEN')
  }
})
