// @module-tag embedded
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashPassword } from '@/server/auth/credentials/password'
import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, type Person, withPassword } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const trustedProxies = (address: string | undefined) => address === '127.0.0.1'
const site = useSite({ trustedProxies })

const from = (address: string) => ({ 'X-Forwarded-For': address })

async function failTenTimes(ada: Person, headers: Record<string, string>): Promise<void> {
  for (let count = 0; count < 10; count++) {
    const answer = await call(site, 'GET', '/user', { as: { basic: [ada.name, 'wrong'] }, headers })
    expect(answer.status).toBe(401)
  }
}

it('after ten wrong passwords, even the right one returns 429 with the time to wait', async () => {
  const ada = await makePerson(site)
  await failTenTimes(ada, from('192.0.2.1'))
  const answer = await call(site, 'GET', '/user', { as: withPassword(ada), headers: from('192.0.2.1') })
  expect(answer.status).toBe(429)
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(500)
  expect(seconds).toBeLessThanOrEqual(600)
  expect(answer.body).toEqual({
    message: expect.stringMatching(/^too many failed sign-in attempts; try again in \d+ minutes?$/),
    url: `${site.url}/api/docs`,
  })
})

it('failed passwords are counted for a name regardless of its case', async () => {
  const ada = await makePerson(site)
  await failTenTimes(ada, from('192.0.2.2'))
  const basic: [string, string] = [ada.name.toUpperCase(), ada.password]
  expect((await call(site, 'GET', '/user', { as: { basic }, headers: from('192.0.2.2') })).status).toBe(429)
})

it('failed passwords block neither other users at the same address nor tokens', async () => {
  const [ada, bob] = [await makePerson(site), await makePerson(site)]
  const headers = from('192.0.2.3')
  await failTenTimes(ada, headers)
  expect((await call(site, 'GET', '/user', { as: withPassword(bob), headers })).status).toBe(200)
  expect((await call(site, 'GET', '/user', { as: ada, headers })).status).toBe(200)
})

it.skipIf(mount === 'next')(
  'failed passwords block the user only at the address they came from',
  async () => {
    const ada = await makePerson(site)
    await failTenTimes(ada, from('192.0.2.4'))
    const answer = await call(site, 'GET', '/user', { as: withPassword(ada), headers: from('198.51.100.7') })
    expect(answer.status).toBe(200)
  },
)

it('a successful sign-in resets the count of failed passwords', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.5')
  for (let count = 0; count < 12; count++) {
    const password = count % 6 === 5 ? ada.password : 'wrong'
    const answer = await call(site, 'GET', '/user', { as: { basic: [ada.name, password] }, headers })
    expect(answer.status).toBe(password === 'wrong' ? 401 : 200)
  }
})

it('concurrent failed passwords count like consecutive ones', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.40')
  const guess = (count: number) =>
    call(site, 'GET', '/user', { as: { basic: [ada.name, `wrong ${count}`] }, headers })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, count) => guess(count)))
  const refused = answers.filter(answer => answer.status === 401)
  expect(refused.length).toBeLessThanOrEqual(11)
  expect(answers.filter(answer => answer.status === 429)).toHaveLength(30 - refused.length)
})

it('failed passwords for a username and its email address count together', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.41')
  for (let count = 0; count < 10; count++) {
    const login = count % 2 ? ada.name : ada.account.email
    const answer = await call(site, 'GET', '/user', { as: { basic: [login, 'wrong'] }, headers })
    expect(answer.status).toBe(401)
  }
  for (const login of [ada.name, ada.account.email]) {
    const as = { basic: [login, ada.password] as [string, string] }
    expect((await call(site, 'GET', '/user', { as, headers })).status).toBe(429)
  }
})

it('a right password is accepted for a minute regardless of failed ones in between', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.42')
  const ask = async () => (await call(site, 'GET', '/user', { as: withPassword(ada), headers })).status
  site.now.set(new Date())
  expect(await ask()).toBe(200)
  await failTenTimes(ada, headers)
  expect(await ask()).toBe(200)
  site.now.set(new Date(Date.now() + 61_000))
  expect(await ask()).toBe(429)
  site.now.set(undefined)
})

it.each([
  ['401', 'the password was changed', async () => ({ password_hash: await hashPassword('another') }), 401],
  ['403', 'the account was prohibited', async () => ({ prohibit_login: true }), 403],
  ['403', 'the account was deactivated', async () => ({ is_active: false }), 403],
  ['401', 'a directory signs it in', async () => ({ login_type: 'ldap' as const }), 401],
])('a remembered password returns %s once %s', async (_, __, change, status) => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.43')
  const ask = async () => (await call(site, 'GET', '/user', { as: withPassword(ada), headers })).status
  expect(await ask()).toBe(200)
  await site.db
    .updateTable('users')
    .set(await change())
    .where('id', '=', ada.account.id)
    .execute()
  expect(await ask()).toBe(status)
})

it.skipIf(mount === 'next')(
  '260 connections that guess passwords do not delay sign-ins from other addresses',
  async () => {
    const bob = await makePerson(site)
    const over = new AbortController()
    const statuses: number[] = []
    // Each retries until its address is blocked; clients asked to retry soon keep the queue full.
    const guess = async (number: number) => {
      const authorization = `Basic ${Buffer.from(`nobody-${number}:wrong`).toString('base64')}`
      const headers = { authorization, ...from('192.0.2.50') }
      for (let isBlocked = false; !isBlocked; await delay(100)) {
        const answer = await fetch(`${site.url}/api/v1/user`, { headers, signal: over.signal })
        statuses.push(answer.status)
        isBlocked = Number(answer.headers.get('retry-after')) > 1
      }
    }
    const guessers = Array.from({ length: 260 }, (_, number) => guess(number).catch(() => undefined))
    try {
      const both = [401, 429]
      await expect.poll(() => both.every(status => statuses.includes(status)), { timeout: 20_000 }).toBe(true)
      const signIns = Array.from({ length: 5 }, async () => {
        const headers = from('198.51.100.20')
        const browser = new Browser(site, { 'sec-fetch-site': 'same-origin', ...headers })
        return (await browser.mutate('sessions.signIn', { login: bob.name, password: bob.password })).status
      })
      expect(await Promise.all(signIns)).toEqual(signIns.map(() => 200))
    } finally {
      over.abort()
      await Promise.all(guessers)
    }
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(100)
  },
  120_000,
)

it.skipIf(mount === 'next')(
  'the sign-in queue is notified of clients that disconnect while waiting, for each transport',
  async () => {
    const ada = await makePerson(site)
    const { services } = site
    const { loginLimiter } = services
    const waiting: AbortSignal[] = []
    services.loginLimiter = {
      ...loginLimiter,
      guard: (attempt, check) => {
        if (attempt.login !== ada.name) return loginLimiter.guard(attempt, check)
        if (attempt.disconnected) waiting.push(attempt.disconnected())
        return new Promise(() => undefined)
      },
    }
    const leaving = new AbortController()
    const { signal } = leaving
    const authorization = `Basic ${Buffer.from(`${ada.name}:wrong`).toString('base64')}`
    const asked = [
      fetch(`${site.url}/api/v1/user`, { headers: { authorization }, signal }),
      fetch(`${site.url}/${ada.name}/any.git/info/refs?service=git-upload-pack`, {
        headers: { authorization },
        signal,
      }),
      fetch(`${site.url}/api/trpc/sessions.signIn`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          [viewerHeader]: viewerName(undefined),
        },
        body: JSON.stringify({ login: ada.name, password: 'wrong' }),
        signal,
      }),
    ]
    const left = Promise.allSettled(asked)
    try {
      await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(3)
      expect(waiting.map(disconnected => disconnected.aborted)).toEqual([false, false, false])
      leaving.abort()
      await left
      await expect
        .poll(() => waiting.map(disconnected => disconnected.aborted), { timeout: 10_000 })
        .toEqual([true, true, true])
    } finally {
      services.loginLimiter = loginLimiter
    }
  },
)

it('a directory account returns 401 for any password stored locally', async () => {
  const ada = await makePerson(site, { login_type: 'ldap' })
  expect((await call(site, 'GET', '/user', { as: withPassword(ada) })).status).toBe(401)
})
