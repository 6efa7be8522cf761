import { describe, expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('the list of sessions', () => {
  it('contains only the caller’s sessions and marks the current one', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    await signIn(site, bob)
    await signIn(site, ada)
    const here = await signIn(site, ada)
    const { data } = await here.query('sessions.browse', {})
    expect(data.items.map((session: { current: boolean }) => session.current).sort()).toEqual([false, true])
    expect(Object.keys(data.items[0]).sort()).toEqual(
      ['created_at', 'current', 'id', 'last_seen_at', 'name', 'remote_address', 'user_agent'].sort(),
    )
  })

  it('returns 401 to visitors who are not signed in', async () => {
    expect((await new Browser(site).query('sessions.browse', {})).status).toBe(401)
  })
})

describe('revoking a session', () => {
  it('takes effect immediately, from another session', async () => {
    const ada = await makePerson(site)
    const [lost, here] = [await signIn(site, ada), await signIn(site, ada)]
    const { data } = await here.query('sessions.browse', {})
    const other = data.items.find((session: { current: boolean }) => !session.current)
    expect((await here.mutate('sessions.revoke', { id: other.id })).status).toBe(200)
    expect((await lost.query('sessions.getCurrent')).data).toBeNull()
    expect((await here.mutate('sessions.revoke', { id: other.id })).status).toBe(404)
  })

  it('can include all of the caller’s other sessions, but not the current one or those of others', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [one, two, here] = [await signIn(site, ada), await signIn(site, ada), await signIn(site, ada)]
    const theirs = await signIn(site, bob)
    expect((await here.mutate('sessions.revokeOthers')).status).toBe(200)
    for (const browser of [one, two]) expect((await browser.query('sessions.getCurrent')).data).toBeNull()
    for (const browser of [here, theirs])
      expect((await browser.query('sessions.getCurrent')).data).not.toBeNull()
    expect((await here.query('sessions.browse', {})).data.items).toHaveLength(1)
  })

  it('returns 404 for another user’s session', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [mine, theirs] = [await signIn(site, ada), await signIn(site, bob)]
    const [{ id }] = (await theirs.query('sessions.browse', {})).data.items
    expect((await mine.mutate('sessions.revoke', { id })).status).toBe(404)
    expect((await theirs.query('sessions.getCurrent')).data).not.toBeNull()
  })
})

describe('signing out', () => {
  it('clears the cookie and ends the session, so that a copy of the cookie is useless', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const copy = new Browser(site)
    copy.cookie = browser.cookie
    const answer = await browser.mutate('sessions.signOut')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^guildhall_session=; Max-Age=0; /)])
    expect((await copy.query('sessions.getCurrent')).data).toBeNull()
  })
})
