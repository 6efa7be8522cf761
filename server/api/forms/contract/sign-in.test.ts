import { describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser'
import { makePerson } from '../../testing/people'
import { useSite } from '../../testing/site'

const site = useSite()

interface Sent {
  status: number
  location: URL | undefined
  cookies: string[]
}

const ours = { 'sec-fetch-site': 'same-origin' }

async function send(
  form: string,
  fields: Record<string, string>,
  headers: Record<string, string> = ours,
): Promise<Sent> {
  const body = new URLSearchParams(fields)
  const url = `${site.url}/-/forms/${form}`
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  const location = response.headers.get('location')
  return {
    status: response.status,
    location: location === null ? undefined : new URL(location, site.url),
    cookies: response.headers.getSetCookie(),
  }
}

const pageOf = ({ location }: Sent) => [location?.origin, location?.pathname]
const refusalOf = ({ location }: Sent) => location?.searchParams.get('refused')

describe('signing in without scripts', () => {
  it('303: sets the cookie that the procedure sets, and leads on through the page', async () => {
    const ada = await makePerson(site)
    const sent = await send('sign-in', { login: ada.name, password: ada.password, next: '/explore?q=x' })
    expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/-/sign-in'])
    expect([...(sent.location?.searchParams ?? [])]).toEqual([['next', '/explore?q=x']])
    expect(sent.cookies).toEqual([
      expect.stringMatching(
        /^guildhall_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
      ),
    ])
  })

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/\r\nSet-Cookie: a=b'])(
    'stays on this site, wherever it is asked to lead: %j',
    async next => {
      const ada = await makePerson(site)
      const sent = await send('sign-in', { login: ada.name, password: ada.password, next })
      expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/-/sign-in'])
      expect(sent.cookies).toHaveLength(1)
    },
  )

  it('303: a wrong password leads back to the page with the reason, and sets no cookie', async () => {
    const ada = await makePerson(site)
    const sent = await send('sign-in', { login: ada.name, password: 'wrong', next: '/explore' })
    expect([sent.status, ...pageOf(sent), refusalOf(sent)]).toEqual([
      303,
      site.url,
      '/-/sign-in',
      'unauthenticated',
    ])
    expect(sent.location?.searchParams.get('next')).toBe('/explore')
    expect(sent.location?.href).not.toMatch(new RegExp(`wrong|${ada.name}`))
    expect(sent.cookies).toEqual([])
  })

  it('303: so do a locked account and a form that is not filled in', async () => {
    const ada = await makePerson(site, { prohibit_login: true })
    const locked = await send('sign-in', { login: ada.name, password: ada.password })
    const empty = await send('sign-in', {})
    expect([refusalOf(locked), locked.cookies, refusalOf(empty), empty.cookies]).toEqual([
      'forbidden',
      [],
      'invalid',
      [],
    ])
  })

  it('after ten wrong passwords even the right one waits, also where scripts ask', async () => {
    const ada = await makePerson(site)
    for (let guess = 0; guess < 10; guess++) {
      expect(refusalOf(await send('sign-in', { login: ada.name, password: `wrong ${guess}` }))).toBe(
        'unauthenticated',
      )
    }
    const sent = await send('sign-in', { login: ada.name, password: ada.password })
    expect([refusalOf(sent), sent.cookies]).toEqual(['tooManyRequests', []])
    await expect(signIn(site, ada)).rejects.toThrow('too many failed sign-ins')
  })

  it('whoever is signed in stays so: a page from before signs nobody else in', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const { cookie } = await signIn(site, ada)
    const sent = await send('sign-in', { login: ben.name, password: ben.password }, { ...ours, cookie })
    expect([sent.status, ...pageOf(sent), sent.cookies]).toEqual([303, site.url, '/-/sign-in', []])
  })
})

describe('signing out without scripts', () => {
  it('303: ends the session, and leads to the start', async () => {
    const browser = await signIn(site, await makePerson(site))
    const sent = await send('sign-out', {}, { ...ours, cookie: browser.cookie })
    expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/'])
    expect(sent.cookies).toEqual([expect.stringMatching(/^guildhall_session=; .*Max-Age=0/)])
    expect((await browser.query('sessions.current')).data).toBeNull()
  })

  it('303: nobody is signed in, which is as well', async () => {
    expect((await send('sign-out', {})).status).toBe(303)
  })
})

describe.each(['sign-in', 'sign-out'])('the form %s', form => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin, in an old browser', { origin: 'https://evil.example' }],
    ['nobody knows where', {}],
  ])('403: from %s', async (_, headers: Record<string, string>) => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    const identity: Record<string, string> = form === 'sign-out' ? { cookie } : {}
    const sent = await send(form, { login: ada.name, password: ada.password }, { ...headers, ...identity })
    expect([sent.status, sent.cookies]).toEqual([403, []])
  })

  it('405: by GET, which other sites can cause', async () => {
    const { status, headers } = await fetch(`${site.url}/-/forms/${form}`, { redirect: 'manual' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })
})

it('404: a form that there is not', async () => {
  expect((await send('nonsense', {})).status).toBe(404)
})

// Last, as the server closes a connection whose body it does not read.
it('413: a body of a megabyte', async () => {
  expect((await send('sign-in', { login: 'x'.repeat(1024 * 1024) })).status).toBe(413)
})
