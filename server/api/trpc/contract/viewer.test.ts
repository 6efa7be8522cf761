import { describe, expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const viewer = (name: string) => ({ 'x-guildhall-viewer': name })

describe('the viewer that a page was rendered for', () => {
  it('must be the current user: otherwise every change gets 409 with the current user, and changes nothing', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const browser = await signIn(site, ben)
    const asAda = viewer(String(ada.account.id))
    const calls: [string, unknown][] = [
      ['users.updateSettings', { full_name: 'Ada Lovelace' }],
      ['sessions.signOut', undefined],
      ['sessions.signIn', { login: ada.name, password: ada.password }],
      ['no.such.procedure', {}],
    ]
    for (const [procedure, input] of calls) {
      const { status, error, headers } = await browser.mutate(procedure, input, asAda)
      expect([procedure, status, error]).toMatchObject([
        procedure,
        409,
        {
          message: `you are signed in as ${ben.name} in another tab`,
          data: { kind: 'viewerChanged', viewer: ben.name },
        },
      ])
      expect(headers.getSetCookie()).toEqual([])
    }
    expect((await browser.query('users.getSettings')).data.full_name).toBe('')
  })

  it('must be the current user for reads, too (409)', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const browser = new Browser(site, {
      'sec-fetch-site': 'same-origin',
      ...viewer(String(ada.account.id)),
    })
    browser.cookie = (await signIn(site, ben)).cookie
    for (const procedure of ['sessions.browse', 'sessions.getCurrent', 'instance.getStatus']) {
      expect((await browser.query(procedure)).status).toBe(409)
    }
  })

  it('can be the current user, or no one if no one is signed in (200)', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const change = { location: 'Paris' }
    const asAda = viewer(String(ada.account.id))
    expect((await browser.mutate('users.updateSettings', change, asAda)).status).toBe(200)
    const login = { login: ada.name, password: ada.password }
    expect((await new Browser(site).mutate('sessions.signIn', login, viewer('nobody'))).status).toBe(200)
  })
})

it('a page whose session has ended gets 409 before anything else is checked', async () => {
  const ada = await makePerson(site)
  const asAda = viewer(String(ada.account.id))
  const { status, error } = await new Browser(site).mutate('users.updateSettings', {}, asAda)
  expect([status, error]).toMatchObject([
    409,
    { message: 'your session has ended', data: { kind: 'viewerChanged', viewer: null } },
  ])
})

it('a page rendered for a visitor gets 409 after someone has signed in', async () => {
  const ada = await makePerson(site)
  const browser = await signIn(site, ada)
  const { status, error } = await browser.mutate('users.updateSettings', {}, viewer('nobody'))
  expect([status, error?.data.viewer]).toEqual([409, ada.name])
})

it('a change without the viewer header gets 409', async () => {
  const { cookie } = await signIn(site, await makePerson(site))
  const response = await fetch(`${site.url}/api/trpc/users.updateSettings`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie },
    body: JSON.stringify({ location: 'Paris' }),
  })
  expect(response.status).toBe(409)
})
