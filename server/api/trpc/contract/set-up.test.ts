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
  it('makes the first administrator, signed in, and says so from then on', async () => {
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

  it('happens once, even when several try at the same time', async () => {
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

  it('403: registration, though it is on, does not make the first account', async () => {
    const site = await openSite({ registration: true })
    try {
      expect((await new Browser(site).mutate('sessions.register', someone('eve'))).status).toBe(403)
    } finally {
      await site.close()
    }
  })
})

describe('setting up a site that has people', () => {
  const site = useSite()

  it('403: is over', async () => {
    await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.setUp', someone('eve'))
    expect([answer.status, answer.error?.message]).toEqual([
      403,
      'this site is already set up; sign in instead',
    ])
  })

  it('403: registration is off unless it was switched on', async () => {
    await makePerson(site)
    const answer = await new Browser(site).mutate('sessions.register', someone('eve'))
    expect([answer.status, answer.error?.data.kind]).toEqual([403, 'forbidden'])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('registration where it is on', () => {
  const site = useSite({ registration: true })

  it('200: makes an ordinary account, signed in, whatever else was sent', async () => {
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

  it('422: a name or address in use, a reserved name; each on its field', async () => {
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

  it('422: a former name of an organization, for 30 days', async () => {
    const owner = await makePerson(site)
    const { name } = await makeOrg(site.db, owner.account.id)
    await call(site, 'POST', `/orgs/${name}/rename`, { as: owner, body: { new_name: `${name}-two` } })
    const { status, error } = await new Browser(site).mutate('sessions.register', someone(name))
    expect([status, error?.data.field]).toEqual([422, 'username'])
  })

  it('400: a short password', async () => {
    const answer = await new Browser(site).mutate('sessions.register', {
      ...someone('newcomer'),
      password: 'short',
    })
    expect(answer.status).toBe(400)
  })
})
