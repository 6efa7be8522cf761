import { describe, expect, it } from 'vitest'
import { viewerName } from '@/server/auth/page-viewer'
import { signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()

interface Sent {
  status: number
  location: URL | undefined
  cookies: string[]
  text: string
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
    text: await response.text(),
  }
}

/** Pages are there under plain Next alone. */
const hasPages = mount === 'next'

async function visit(address: URL | undefined, cookie = '') {
  const response = await fetch(address ?? '', { headers: { cookie }, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const cookieOf = ({ cookies }: Sent) => cookies[0]?.split(';')[0]
const pageOf = ({ location }: Sent) => [location?.origin, location?.pathname]
const refusalOf = ({ location }: Sent) => location?.searchParams.get('refused')

describe('signing in without scripts', () => {
  it('sets the same cookie as the procedure, and redirects with 303 through the page', async () => {
    const ada = await makePerson(site)
    const sent = await send('sign-in', { login: ada.name, password: ada.password, next: '/explore?q=x' })
    expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/-/sign-in'])
    expect([...(sent.location?.searchParams ?? [])]).toEqual([['next', '/explore?q=x']])
    expect(sent.cookies).toEqual([
      expect.stringMatching(
        /^guildhall_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  it.runIf(hasPages).each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/.//evil.example'])(
    'redirects to the home page, not to another site: %j',
    async next => {
      const ada = await makePerson(site)
      const sent = await send('sign-in', { login: ada.name, password: ada.password, next })
      const led = await visit(sent.location, cookieOf(sent))
      expect([led.status, led.headers.get('location')]).toEqual([307, '/'])
    },
  )

  it.runIf(hasPages).each([
    ['unauthenticated', 'Incorrect username or password.'],
    ['constructor', ''],
    ['__proto__', ''],
    ['toString', ''],
  ])('200: the page with the reason %s', async (reason, words) => {
    const { status, text } = await visit(new URL(`/-/sign-in?refused=${reason}`, site.url))
    expect([status, text.includes('Couldn’t sign in')]).toEqual([200, words !== ''])
    expect(text).toContain(words)
  })

  it('redirects with 303 to the page with the reason for a wrong password, and sets no cookie', async () => {
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

  it('redirects with 303 to the page with the reason for a locked account and an empty form', async () => {
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

  it('refuses even the correct password after ten wrong ones, with and without scripts', async () => {
    const ada = await makePerson(site)
    for (let guess = 0; guess < 10; guess++) {
      expect(refusalOf(await send('sign-in', { login: ada.name, password: `wrong ${guess}` }))).toBe(
        'unauthenticated',
      )
    }
    const sent = await send('sign-in', { login: ada.name, password: ada.password })
    expect([refusalOf(sent), sent.cookies]).toEqual(['tooManyRequests', []])
    await expect(signIn(site, ada)).rejects.toThrow('too many failed sign-in attempts')
  })

  it('redirects with 303 to a page that says who is signed in already, and does not continue as them', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const { cookie } = await signIn(site, ada)
    const fields = { login: ben.name, password: ben.password, next: '/explore' }
    const sent = await send('sign-in', fields, { ...ours, cookie })
    expect([sent.status, ...pageOf(sent), sent.cookies]).toEqual([303, site.url, '/-/sign-out', []])
    expect([...(sent.location?.searchParams ?? [])]).toEqual([
      ['refused', 'viewerChanged'],
      ['next', '/explore'],
    ])
    if (!hasPages) return
    const page = await visit(sent.location, cookie)
    expect(page.text).toMatch(new RegExp(`You signed in as ${ada.name} in this browser after`))
    expect(page.text).toContain('href="/explore"')
  })
})

describe('signing out without scripts', () => {
  const signOut = (cookie: string, of: Person) =>
    send('sign-out', { viewer: viewerName(of.account.id) }, { ...ours, cookie })

  it('ends the session and redirects with 303 to the home page', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const sent = await signOut(browser.cookie, ada)
    expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/'])
    expect(sent.cookies).toEqual([expect.stringMatching(/^guildhall_session=; .*Max-Age=0/)])
    expect((await browser.query('sessions.getCurrent')).data).toBeNull()
  })

  it('redirects with 303 even if no one is signed in', async () => {
    const sent = await send('sign-out', {})
    expect([sent.status, ...pageOf(sent)]).toEqual([303, site.url, '/'])
  })

  it('keeps the session and redirects with 303 if the page was rendered for someone else', async () => {
    const [ada, ben] = [await makePerson(site), await makePerson(site)]
    const browser = await signIn(site, ben)
    for (const sent of [
      await signOut(browser.cookie, ada),
      await send('sign-out', {}, { ...ours, cookie: browser.cookie }),
    ]) {
      expect([sent.status, ...pageOf(sent), refusalOf(sent), sent.cookies]).toEqual([
        303,
        site.url,
        '/-/sign-out',
        'viewerChanged',
        [],
      ])
    }
    expect((await browser.query('sessions.getCurrent')).data.user.login).toBe(ben.name)
  })

  it.runIf(hasPages)('works on a page that states whom it was rendered for', async () => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    const { text } = await visit(new URL('/-/sign-out', site.url), cookie)
    expect(text).toContain(`name="viewer" value="${viewerName(ada.account.id)}"`)
  })
})

describe.each(['sign-in', 'sign-out'])('the form %s', form => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin, in an old browser', { origin: 'https://evil.example' }],
    ['nobody knows where', {}],
  ])('returns 403 if sent from %s', async (_, headers: Record<string, string>) => {
    const ada = await makePerson(site)
    const { cookie } = await signIn(site, ada)
    const identity: Record<string, string> = form === 'sign-out' ? { cookie } : {}
    const sent = await send(form, { login: ada.name, password: ada.password }, { ...headers, ...identity })
    expect([sent.status, sent.cookies, sent.text]).toEqual([
      403,
      [],
      'this request did not come from a page of this site\nGo back, reload the page, and try again.\n',
    ])
  })

  it('returns 405 for GET, which other sites can cause', async () => {
    const { status, headers } = await fetch(`${site.url}/-/forms/${form}`, { redirect: 'manual' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })
})

it('an unknown form returns 404', async () => {
  expect((await send('nonsense', {})).status).toBe(404)
})

// Last, as the server closes a connection whose body it does not read.
it('a form with a body of a megabyte returns 413', async () => {
  const { status, text } = await send('sign-in', { login: 'x'.repeat(1024 * 1024) })
  expect([status, text]).toEqual([413, expect.stringMatching(/^the body exceeds the limit of 16384 bytes\n/)])
})
