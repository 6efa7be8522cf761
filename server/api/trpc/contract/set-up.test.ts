// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { openSite, useSite } from '@/testing/site'

const someone = (username: string) => ({
  username,
  email: `${username}@example.test`,
  password: 'a good password',
})

describe('setting up a new site', () => {
  it('creates the first administrator, signed in, and is reported as done', async () => {
    const site = await openSite()
    try {
      const browser = new Browser(site)
      expect((await browser.query('instance.getStatus')).data).toMatchObject({ needs_setup: true })
      const answer = await browser.mutate('sessions.setUp', someone('ada'))
      expect([answer.status, answer.data.user.is_admin]).toEqual([200, true])
      expect((await browser.query('users.list', {})).status).toBe(200)
      expect((await browser.query('instance.getStatus')).data).toMatchObject({ needs_setup: false })
    } finally {
      await site.close()
    }
  })

  it('succeeds only once, even for concurrent requests', async () => {
    const site = await openSite()
    try {
      const names = ['ada', 'bob', 'eve']
      const answers = await Promise.all(
        names.map(name => new Browser(site).mutate('sessions.setUp', someone(name))),
      )
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 403, 403])
      const users = await site.db.selectFrom('users').select('is_admin').execute()
      expect(users).toEqual([{ is_admin: true }])
    } finally {
      await site.close()
    }
  })

  it('cannot be replaced by registration, which returns 403 for the first account', async () => {
    const site = await openSite({ registration: true })
    try {
      expect((await new Browser(site).mutate('sessions.register', someone('eve'))).status).toBe(403)
    } finally {
      await site.close()
    }
  })
})

describe('a site that is already set up', () => {
  const site = useSite()

  it('returns 403 for another setup', async () => {
    await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.setUp', someone('eve'))
    expect([answer.status, answer.error?.message]).toEqual([
      403,
      'this site is already set up; sign in instead',
    ])
  })

  it('returns 403 for registration unless it is enabled', async () => {
    await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.register', someone('eve'))
    expect([answer.status, answer.error?.data.kind]).toEqual([403, 'forbidden'])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('enabled registration', () => {
  const site = useSite({ registration: true })

  it('returns 200 and creates an ordinary account, signed in, regardless of other fields sent', async () => {
    await makePerson(site)
    const browser = new Browser(site)
    const answer = await browser.mutate('sessions.register', {
      ...someone('eve'),
      is_admin: true,
      admin: true,
    })
    expect([answer.status, answer.data.user.login, answer.data.user.is_admin]).toEqual([200, 'eve', false])
    expect((await browser.query('sessions.getCurrent')).data.user.login).toBe('eve')
  })

  it('returns 422 for a name or email address in use or a reserved name, each on its field', async () => {
    const bob = await makePerson(site)
    const refusal = async (input: Record<string, string>) => {
      const { status, error } = await new Browser(site).mutate('sessions.register', {
        ...someone('newcomer'),
        ...input,
      })
      return [status, error?.data.field]
    }
    expect(await refusal({ username: bob.name.toUpperCase() })).toEqual([422, 'username'])
    expect(await refusal({ email: bob.account.email })).toEqual([422, 'email'])
    expect(await refusal({ username: 'user' })).toEqual([422, 'username'])
  })

  it('returns 422 for an organization’s former name for 30 days', async () => {
    const owner = await makePerson(site)
    const { name } = await makeOrg(site.db, owner.account.id)
    await call(site, 'POST', `/orgs/${name}/rename`, { as: owner, body: { new_name: `${name}-two` } })
    const { status, error } = await new Browser(site).mutate('sessions.register', someone(name))
    expect([status, error?.data.field]).toEqual([422, 'username'])
  })

  it('returns 400 for a password that is too short', async () => {
    const answer = await new Browser(site).mutate('sessions.register', {
      ...someone('newcomer'),
      password: 'short',
    })
    expect(answer.status).toBe(400)
  })
})
