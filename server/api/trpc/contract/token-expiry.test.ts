import { expect, it } from 'vitest'
import { appRouter } from '@/server/api/root'
import { categoriesInUse } from '@/server/kernel/scopes'
import type { Meta } from '@/server/trpc/rest'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const hourMs = 60 * 60 * 1000
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString()

interface Procedure {
  _def: { meta?: Meta }
}

async function makeExpiring(owner: Person, expires_at?: string) {
  const browser = await signIn(site, owner)
  return browser.mutate('tokens.createExpiring', {
    username: owner.name,
    name: `script ${Math.random()}`,
    scopes: ['all'],
    expires_at,
  })
}

const endNow = (id: number) =>
  site.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()

const asks = (sha1: string) => ({
  bearer: call(site, 'GET', '/user', { headers: { authorization: `Bearer ${sha1}` } }),
  password: call(site, 'GET', '/user', { as: { basic: ['anybody', sha1] as [string, string] } }),
  name: call(site, 'GET', '/user', { as: { basic: [sha1, ''] as [string, string] } }),
  query: call(site, 'GET', `/user?token=${sha1}`),
})

it('an expired token returns 401, however it is sent, and from Git, too', async () => {
  const ada = await makePerson(site)
  const { data } = await makeExpiring(ada, inHours(1))
  const statuses = async () =>
    Promise.all(Object.values(asks(data.sha1)).map(async answer => (await answer).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  await endNow(data.id)
  expect(await statuses()).toEqual([401, 401, 401, 401])
  const { body } = await asks(data.sha1).bearer
  expect(body.message).toBe('invalid username, password or token')
  const basic = Buffer.from(`${ada.name}:${data.sha1}`).toString('base64')
  const git = await fetch(`${site.url}/${ada.name}/none.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${basic}` },
  })
  expect(git.status).toBe(401)
})

it('token expiration is shown on pages, but not in the REST API', async () => {
  const ada = await makePerson(site)
  const end = inHours(24)
  const made = await makeExpiring(ada, end)
  const shown = `${end.slice(0, 19)}Z`
  expect(made.data.expires_at).toBe(shown)
  await makeExpiring(ada)
  const browser = await signIn(site, ada)
  const { data } = await browser.query('tokens.browse', { username: ada.name })
  expect(data.items.map((token: { expires_at: string | null }) => token.expires_at)).toEqual([
    null,
    shown,
    null,
  ])
  const as = { basic: [ada.name, ada.password] as [string, string] }
  const { body } = await call(site, 'GET', `/users/${ada.name}/tokens`, { as })
  expect(Object.keys(body[0])).not.toContain('expires_at')
})

it('creating a token returns 422 for an expiration date in the past, on its field, and 400 for an invalid one', async () => {
  const ada = await makePerson(site)
  const over = await makeExpiring(ada, inHours(-1))
  expect([over.status, over.error?.data.field]).toEqual([422, 'expires_at'])
  expect((await makeExpiring(ada, 'tomorrow')).status).toBe(400)
})

it('a token created with a token expires no later than that token', async () => {
  const ada = await makePerson(site)
  const { data } = await makeExpiring(ada, inHours(24))
  const as = { basic: [ada.name, data.sha1] as [string, string] }
  const body = { name: 'made by a script', scopes: ['read:user'] }
  const made = await call(site, 'POST', `/users/${ada.name}/tokens`, { as, body })
  expect(made.status).toBe(201)
  const rows = await site.db
    .selectFrom('access_tokens')
    .select('expires_at')
    .where('id', 'in', [data.id, made.body.id])
    .execute()
  expect(rows[0]?.expires_at).toEqual(rows[1]?.expires_at)
})

it('the scopes that users can select are those that an endpoint requires', () => {
  // At runtime a router's procedures are a flat record, unlike in its type.
  const procedures = Object.values(appRouter._def.procedures as unknown as Record<string, Procedure>)
  const asked = new Set(procedures.flatMap(({ _def }) => _def.meta?.rest?.scopes ?? []))
  expect([...asked].sort()).toEqual([...categoriesInUse].sort())
})
