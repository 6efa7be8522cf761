import { BlockList } from 'node:net'
import { expect, it } from 'vitest'
import { call } from '../../testing/call'
import { makePerson, type Person, withPassword } from '../../testing/people'
import { mount, useSite } from '../../testing/site'

const trustedProxies = new BlockList()
trustedProxies.addAddress('127.0.0.1')
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
  const judged = answers.filter(answer => answer.status === 401)
  expect(judged.length).toBeLessThanOrEqual(11)
  expect(answers.filter(answer => answer.status === 429)).toHaveLength(30 - judged.length)
})

it('401: an account that a directory signs in has no password here, whatever was stored before', async () => {
  const ada = await makePerson(site, { login_type: 'ldap' })
  expect((await call(site, 'GET', '/user', { as: withPassword(ada) })).status).toBe(401)
})
