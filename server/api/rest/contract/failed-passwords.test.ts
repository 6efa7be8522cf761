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

it('429: after ten wrong passwords even the right one has to wait, and is told how long', async () => {
  const ada = await makePerson(site)
  await failTenTimes(ada, from('192.0.2.1'))
  const answer = await call(site, 'GET', '/user', { as: withPassword(ada), headers: from('192.0.2.1') })
  expect(answer.status).toBe(429)
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(500)
  expect(seconds).toBeLessThanOrEqual(600)
  expect(answer.body).toEqual({
    message: expect.stringMatching(/^too many failed sign-ins; try again in \d+ minutes?$/),
    url: `${site.url}/api/docs`,
  })
})

it('429: the name counts in any case', async () => {
  const ada = await makePerson(site)
  await failTenTimes(ada, from('192.0.2.2'))
  const basic: [string, string] = [ada.name.toUpperCase(), ada.password]
  expect((await call(site, 'GET', '/user', { as: { basic }, headers: from('192.0.2.2') })).status).toBe(429)
})

it('200: others at the same address, tokens, and people after a success are not held up', async () => {
  const [ada, bob] = [await makePerson(site), await makePerson(site)]
  const headers = from('192.0.2.3')
  await failTenTimes(ada, headers)
  expect((await call(site, 'GET', '/user', { as: withPassword(bob), headers })).status).toBe(200)
  expect((await call(site, 'GET', '/user', { as: ada, headers })).status).toBe(200)
})

it.skipIf(mount === 'next')(
  '200: the same person at another address is not held up by strangers',
  async () => {
    const ada = await makePerson(site)
    await failTenTimes(ada, from('192.0.2.4'))
    const answer = await call(site, 'GET', '/user', { as: withPassword(ada), headers: from('198.51.100.7') })
    expect(answer.status).toBe(200)
  },
)

it('200: a success forgets the failures before it', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.5')
  for (let count = 0; count < 12; count++) {
    const password = count % 6 === 5 ? ada.password : 'wrong'
    const answer = await call(site, 'GET', '/user', { as: { basic: [ada.name, password] }, headers })
    expect(answer.status).toBe(password === 'wrong' ? 401 : 200)
  }
})

it('429: guesses sent all at once count like guesses in turn', async () => {
  const ada = await makePerson(site)
  const headers = from('192.0.2.40')
  const guess = (count: number) =>
    call(site, 'GET', '/user', { as: { basic: [ada.name, `wrong ${count}`] }, headers })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, count) => guess(count)))
  const refused = answers.filter(answer => answer.status === 401)
  expect(refused.length).toBeLessThanOrEqual(11)
  expect(answers.filter(answer => answer.status === 429)).toHaveLength(30 - refused.length)
})

it('429: name and e-mail address count together', async () => {
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

it('200: a right password is remembered for a minute, whatever guesses come between', async () => {
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
])('%s: a remembered password does not help once %s', async (_, __, change, status) => {
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
  '200: whoever signs in elsewhere is not held up by 260 connections of one guesser',
  async () => {
    const bob = await makePerson(site)
    const over = new AbortController()
    const statuses: number[] = []
    // Each tries again until the address is refused for good: one that is told to come back soon keeps the line full.
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
  'whoever stands in line and goes away is told to the line, over each transport',
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

it('401: an account that a directory signs in has no password here, whatever was stored before', async () => {
  const ada = await makePerson(site, { login_type: 'ldap' })
  expect((await call(site, 'GET', '/user', { as: withPassword(ada) })).status).toBe(401)
})
