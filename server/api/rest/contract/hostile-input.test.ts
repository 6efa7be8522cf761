// @module-tag embedded
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeOrg, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { type DocumentedEndpoint, documentedEndpoints } from '@/testing/endpoints'
import { expectWellFormed } from '@/testing/expect-well-formed'
import { makeCommittedRepository } from '@/testing/git-repository'
import { hostileTexts, hostileValues } from '@/testing/hostile'
import { newKey } from '@/testing/keys'
import { makeLoginSource, makePerson, type Person, withPassword } from '@/testing/people'
import { series } from '@/testing/series'
import { mount, useSite } from '@/testing/site'

// The tests send thousands of requests one after another.
vi.setConfig({ testTimeout: 240_000 })

const site = useSite()
let root: Person
let bob: Person
let directory: number
let org: string
let repo: string
let team: number
let endpoints: DocumentedEndpoint[]

beforeAll(async () => {
  root = await makePerson(site, { is_admin: true })
  bob = await makePerson(site)
  directory = await makeLoginSource(site)
  const made = await makeOrg(site.db, bob.account.id)
  org = made.name
  // It has commits, so that requests that change files get as far as Git.
  repo = (await makeCommittedRepository(site, made)).name
  team = (await makeTeam(site.db, made.id)).id
  endpoints = await documentedEndpoints(site)
})

const harmless = (): Record<string, unknown> => ({
  title: `key ${Math.random()}`,
  key: newKey().text,
  name: `token ${Math.random()}`,
  scopes: ['read:user'],
  username: 'x',
  email: 'x@example.test',
  // Directory accounts have no password, which would be slow to hash.
  source_id: directory,
  // Both, so that a team keeps units when one field is replaced: without any, the contract requires a 500.
  units: ['repo.code'],
  units_map: { 'repo.code': 'read' },
})

// Existing objects, so that requests get past "not found". They are never deleted or renamed.
function knownValues({ method, path }: DocumentedEndpoint): Record<string, string> {
  const username = bob.name
  if (method === 'DELETE' || path.endsWith('/rename')) return { username }
  return { username, org, owner: org, repo, ...(path.startsWith('/teams/') ? { id: String(team) } : {}) }
}

const pathOf = (endpoint: DocumentedEndpoint, replaced: Record<string, string> = {}): string => {
  const values = { ...knownValues(endpoint), ...replaced }
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '999999')
}

async function send(endpoint: DocumentedEndpoint, path: string, body?: unknown): Promise<void> {
  // Token endpoints require Basic; the others are faster with a token.
  const as = endpoint.path.includes('/tokens') ? { basic: ['x', root.token] as [string, string] } : root
  const answer = await call(site, endpoint.method, path, { as, body })
  expectWellFormed(site, answer, `${endpoint.method} ${path} ${JSON.stringify(body) ?? ''}`.slice(0, 500))
}

let turn = 0

// Fields and forms share their checks, so each field is tested with only a part of the list, in turn. If the
// same values are also tested with another database, so that only the engine matters here, the parts are
// smaller.
const share = series(15, process.env.GUILDHALL_TEST_ENGINE_ALONE ? 15 : 5)
const byTurns = <T>(list: readonly T[]): T[] => {
  turn += 1
  return list.filter((_, index) => index % share === turn % share)
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

// How Next processes requests before our code is covered by the tests of paths and bodies.
describe.skipIf(mount === 'next')('the API withstands hostile input', { tags: 'series' }, () => {
  it('on more than 20 documented endpoints', () => {
    expect(endpoints.length).toBeGreaterThan(20)
  })

  it('in every segment of every path', async () => {
    for (const endpoint of endpoints) {
      for (const field of endpoint.pathFields) {
        const texts = hostileTexts.filter(text => text.trim() !== '').map(encoded)
        for (const text of byTurns(texts)) {
          const body = endpoint.bodyFields.length > 0 ? harmless() : undefined
          await send(endpoint, pathOf(endpoint, { [field]: text }), body)
        }
      }
    }
  })

  it('in every field of every query', async () => {
    for (const endpoint of endpoints) {
      if (endpoint.bodyFields.length > 0) continue
      for (const field of endpoint.queryFields) {
        for (const text of byTurns(hostileTexts)) {
          const query = `${field}=${encoded(text)}&${encoded(text)}=x&__proto__=x&__proto__=y`
          await send(endpoint, `${pathOf(endpoint)}?${query}`)
        }
      }
    }
  })

  it('in every field of every JSON body', async () => {
    for (const endpoint of endpoints) {
      for (const field of endpoint.bodyFields) {
        for (const value of byTurns([...hostileTexts, ...hostileValues, hostileTexts])) {
          await send(endpoint, pathOf(endpoint), { ...harmless(), [field]: value })
        }
      }
    }
  })

  it('in all fields of every form', async () => {
    for (const endpoint of endpoints) {
      if (endpoint.bodyFields.length === 0) continue
      for (const text of byTurns(hostileTexts).map(text => text.toWellFormed())) {
        const raw = new URLSearchParams([...endpoint.bodyFields, text].map(field => [field, text]))
        const path = pathOf(endpoint)
        const answer = await call(site, endpoint.method, path, { as: root, raw })
        expectWellFormed(site, answer, `${endpoint.method} ${path} ${raw}`.slice(0, 500))
      }
    }
  })

  it('in every header that it reads', async () => {
    for (const name of [
      'authorization',
      'sudo',
      'content-type',
      'user-agent',
      'x-forwarded-for',
      'content-language',
    ]) {
      for (const text of hostileTexts) {
        const value = text.replace(/[^\x20-\x7e\x80-\xff]/g, '')
        const as = name === 'authorization' ? undefined : root
        for (const prefix of name === 'authorization' ? ['', 'token ', 'Basic ', 'Bearer '] : ['']) {
          const headers = { [name]: prefix + value }
          expectWellFormed(
            site,
            await call(site, 'GET', '/user', { as, headers }),
            `${name}: ${prefix}${value}`,
          )
        }
      }
    }
  })

  it('as a name or password', async () => {
    for (const text of hostileTexts) {
      for (const basic of [
        [text, text],
        [bob.name, text],
        [text, 'x'],
      ] as [string, string][]) {
        expectWellFormed(
          site,
          await call(site, 'GET', '/user', { as: { basic } }),
          basic.join(':').slice(0, 200),
        )
      }
    }
  })
})

it('hostile input made no one an administrator, and users can still sign in', async () => {
  const { body } = await call(site, 'GET', '/admin/users?limit=50', { as: root })
  const admins = body.filter((user: { is_admin: boolean }) => user.is_admin)
  expect(admins.map((user: { login: string }) => user.login)).toEqual([root.name])
  expect((await call(site, 'GET', '/user', { as: withPassword(root) })).status).toBe(200)
})
