import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({}, kept.log)

describe('keys.preview', () => {
  it('describes a pasted key without saving it', async () => {
    const browser = await signIn(site, await makePerson(site))
    const key = newKey('laptop')
    const answer = await browser.query('keys.preview', { key: key.text })
    expect(answer.data).toEqual({
      algorithm: 'ed25519',
      bits: 256,
      fingerprint: key.fingerprint,
      comment: 'laptop',
    })
    expect((await browser.query('keys.listMine', {})).data.items).toEqual([])
  })

  it('returns 422 for text that is not a key, on its field', async () => {
    const browser = await signIn(site, await makePerson(site))
    const answer = await browser.query('keys.preview', { key: 'nonsense' })
    expect([answer.status, answer.error?.data.field]).toEqual([422, 'key'])
  })

  it('returns 401 to visitors who are not signed in', async () => {
    expect((await new Browser(site).query('keys.preview', { key: newKey().text })).status).toBe(401)
  })
})

describe('keys.browse', () => {
  it('shows where a key was last used to its owner and administrators only', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    const last_used_at = new Date('2026-10-01T00:00:00Z')
    await makeKey(site.db, ada.account.id, { last_used_at, last_used_address: '192.0.2.7' })
    const addressFor = async (person: Person) => {
      const browser = await signIn(site, person)
      const { data } = await browser.query('keys.browse', { username: ada.name })
      return data.items[0].last_used_address
    }
    expect([await addressFor(ada), await addressFor(root), await addressFor(bob)]).toEqual([
      '192.0.2.7',
      '192.0.2.7',
      null,
    ])
    const { text } = await call(site, 'GET', '/user/keys', { as: ada })
    expect(text).not.toContain('192.0.2.7')
  })
})

describe('keys.hasCurrent', () => {
  it('ignores expired keys', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const ask = async () => (await browser.query('keys.hasCurrent')).data
    expect(await ask()).toBe(false)
    await makeKey(site.db, ada.account.id, { expires_at: new Date(Date.now() - 1000) })
    expect(await ask()).toBe(false)
    await makeKey(site.db, ada.account.id)
    expect(await ask()).toBe(true)
  })
})

describe('keys.add', () => {
  it('adds a key and returns the fields that the page shows', async () => {
    const browser = await signIn(site, await makePerson(site))
    const key = newKey()
    const answer = await browser.mutate('keys.add', { title: 'laptop', key: key.text })
    expect(answer.data).toMatchObject({ title: 'laptop', fingerprint: key.fingerprint, key_type: 'user' })
    const { data } = await browser.query('keys.listMine', {})
    expect(data).toMatchObject({ total: 1, page: 1, limit: 30, items: [{ title: 'laptop' }] })
  })

  it('returns 422 for a private key and repeats it neither in the response nor in the log', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const secret = pem.split('\n')[1] as string
    const browser = await signIn(site, await makePerson(site))
    const answer = await browser.mutate('keys.add', { title: 'x', key: pem })
    expect([answer.status, answer.error?.data.field]).toEqual([422, 'key'])
    expect(answer.text + kept.text()).not.toContain(secret)
  })
})
