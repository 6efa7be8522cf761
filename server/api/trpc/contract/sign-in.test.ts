import { describe, expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use, and returns the user', async () => {
    const ada = await makePerson(site)
    const browser = new Browser(site)
    const answer = await browser.mutate('sessions.signIn', { login: ada.name, password: ada.password })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      user: { login: ada.name },
      must_change_password: false,
      may_manage_keys: true,
    })
    const [cookie, ...more] = answer.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(/^guildhall_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await browser.query('sessions.getCurrent')).data.user.login).toBe(ada.name)
  })

  it('accepts the email address in any case, and spaces around the username', async () => {
    const ada = await makePerson(site)
    for (const login of [ada.account.email.toUpperCase(), ` ${ada.name} `]) {
      const answer = await new Browser(site).mutate('sessions.signIn', { login, password: ada.password })
      expect(answer.status).toBe(200)
    }
  })

  it('creates a separate session each time', async () => {
    const ada = await makePerson(site)
    const [one, two] = [await signIn(site, ada), await signIn(site, ada)]
    expect(one.cookie).not.toBe(two.cookie)
    expect((await one.query('sessions.browse', {})).data.items).toHaveLength(2)
  })

  it.each([
    ['a wrong password', (name: string) => ({ login: name, password: 'wrong' })],
    ['an unknown name', () => ({ login: 'nobody-here', password: 'wrong' })],
  ])('returns 401 for %s, with the same message and no cookie', async (_, input) => {
    const ada = await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.signIn', input(ada.name))
    expect(answer.status).toBe(401)
    expect(answer.error).toMatchObject({
      message: 'Incorrect username or password.',
      data: { kind: 'unauthenticated', field: 'password' },
    })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('returns 401 for a token as the password', async () => {
    const ada = await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.signIn', { login: ada.name, password: ada.token })
    expect(answer.status).toBe(401)
  })

  it('returns 403 for a locked or inactive account', async () => {
    for (const state of [{ prohibit_login: true }, { is_active: false }]) {
      const ada = await makePerson(site, state)
      const answer = await new Browser(site).mutate('sessions.signIn', {
        login: ada.name,
        password: ada.password,
      })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
    }
  })

  it('returns 400 for invalid input', async () => {
    for (const input of [{}, [], 'x', { login: 1, password: 2 }, { login: 'x'.repeat(300), password: 'x' }]) {
      expect((await new Browser(site).mutate('sessions.signIn', input)).status).toBe(400)
    }
  })

  it('returns 429 after ten wrong passwords, even for the right one', async () => {
    const ada = await makePerson(site)
    const browser = new Browser(site)
    for (let count = 0; count < 10; count++) {
      await browser.mutate('sessions.signIn', { login: ada.name, password: 'wrong' })
    }
    const answer = await browser.mutate('sessions.signIn', { login: ada.name, password: ada.password })
    expect([answer.status, answer.error?.data.kind]).toEqual([429, 'tooManyRequests'])
  })
})

describe('a session', () => {
  it('does not exist for an unknown cookie', async () => {
    const browser = new Browser(site)
    browser.cookie = `guildhall_session=${'x'.repeat(43)}`
    expect((await browser.query('sessions.getCurrent')).data).toBeNull()
    expect((await browser.query('keys.listMine', {})).status).toBe(401)
  })

  it('is not accepted by the REST API, nor are tokens accepted by page procedures', async () => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    expect((await call(site, 'GET', '/user', { headers: { cookie } })).status).toBe(401)
    const bearer = new Browser(site, { 'sec-fetch-site': 'same-origin', authorization: `token ${ada.token}` })
    expect((await bearer.query('sessions.getCurrent')).data).toBeNull()
  })

  it('is stored only as a hash', async () => {
    const ada = await makePerson(site)
    const secret = (await signIn(site, ada)).cookie.split('=')[1] as string
    const rows = await site.db.selectFrom('sessions').selectAll().execute()
    expect(rows.some(row => row.token_hash.toString('base64url') === secret)).toBe(false)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('expires thirty days after sign-in, regardless of use', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000)
    try {
      for (const days of [10, 20, 29]) {
        site.now.set(inDays(days))
        expect((await browser.query('sessions.getCurrent')).data).not.toBeNull()
      }
      site.now.set(inDays(31))
      expect((await browser.query('sessions.getCurrent')).data).toBeNull()
    } finally {
      site.now.set(undefined)
    }
  })

  it('ends immediately when the account is locked', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    await site.db
      .updateTable('users')
      .set({ prohibit_login: true })
      .where('id', '=', ada.account.id)
      .execute()
    expect((await browser.query('sessions.getCurrent')).data).toBeNull()
  })
})

describe('a site with TLS', () => {
  const secure = useSite({ baseUrl: 'https://forge.example.com' })

  it('restricts the session cookie to the host and to TLS', async () => {
    const ada = await makePerson(secure)
    const browser = await signIn(secure, ada)
    expect(browser.cookie).toMatch(/^__Host-guildhall_session=/)
    const answer = await browser.mutate('sessions.signOut')
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-guildhall_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })
})
