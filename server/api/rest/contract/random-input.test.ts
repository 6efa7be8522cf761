import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type DocumentedEndpoint, documentedEndpoints } from '@/testing/endpoints'
import { expectWellFormed } from '@/testing/expect-well-formed'
import { makePerson, type Person } from '@/testing/people'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'

const site = useSite()
const runs = { numRuns: series(50, 150) }
let root: Person
let endpoints: DocumentedEndpoint[]

beforeAll(async () => {
  root = await makePerson(site, { is_admin: true })
  endpoints = await documentedEndpoints(site)
})

const anyEndpoint = () => fc.constantFrom(...endpoints)
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant(''))
const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' })

const pathOf = ({ path }: DocumentedEndpoint, segment: string) => path.replace(/\{\w+\}/g, () => segment)

async function send(method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<void> {
  const answer = await call(site, method, path, { as: root, ...options })
  expectWellFormed(site, answer, `${method} ${path} ${JSON.stringify(options)}`)
}

it('random queries never cause a server error', { tags: 'series' }, async () => {
  const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(anyEndpoint(), pairs, text, async (endpoint, others, value) => {
      const query = new URLSearchParams(others)
      for (const name of endpoint.queryFields) query.append(name, value)
      if (endpoint.method === 'GET') await send('GET', `${pathOf(endpoint, 'x')}?${query}`)
    }),
    runs,
  )
})

it('random path segments never cause a server error', { tags: 'series' }, async () => {
  const segment = fc.oneof(
    fc.webSegment(),
    text.map(value => encodeURIComponent(value.toWellFormed())),
  )
  await fc.assert(
    fc.asyncProperty(anyEndpoint(), segment, async (endpoint, value) => {
      await send(endpoint.method, pathOf(endpoint, value), endpoint.bodyFields.length > 0 ? { body: {} } : {})
    }),
    runs,
  )
})

it('random JSON never causes a server error', { tags: 'series' }, async () => {
  const bodies = () =>
    anyEndpoint()
      .filter(endpoint => endpoint.bodyFields.length > 0)
      .chain(endpoint => {
        const fields = Object.fromEntries(endpoint.bodyFields.map(name => [name, fc.oneof(json, text)]))
        const body = fc.oneof({ arbitrary: fc.record(fields, { requiredKeys: [] }), weight: 5 }, json)
        return body.map(value => ({ endpoint, value: value as unknown }))
      })
  await fc.assert(
    fc.asyncProperty(bodies(), async ({ endpoint, value }) => {
      const headers = { 'content-type': 'application/json' }
      await send(endpoint.method, pathOf(endpoint, 'x'), { raw: JSON.stringify(value), headers })
    }),
    runs,
  )
})

it('random bytes in a body never cause a server error, regardless of their content type', {
  tags: 'series',
}, async () => {
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'x/y',
    '',
  ]
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '--b',
          '\r\n',
          '--',
          'Content-Disposition: form-data; name="title"',
          '"',
          ';',
          '=',
          '&',
          '%',
          'title',
          'x',
        ),
        { maxLength: 30 },
      )
      .map(parts => new TextEncoder().encode(parts.join(''))),
  )
  const withBody = () => anyEndpoint().filter(endpoint => endpoint.bodyFields.length > 0)
  await fc.assert(
    fc.asyncProperty(withBody(), bytes, fc.constantFrom(...types), async (endpoint, body, type) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      await send(endpoint.method, pathOf(endpoint, 'x'), { raw: new Uint8Array(body), headers })
    }),
    runs,
  )
})

it('the site still responds correctly after random input', { tags: 'series' }, async () => {
  expect((await call(site, 'GET', '/user', { as: root })).body.login).toBe(root.name)
})
