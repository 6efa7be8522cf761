import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({ logLevel: 'trace' }, kept.log)

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const secret = pem.split('\n')[1] as string

const bodies: [string, string, Record<string, unknown> | string][] = [
  ['in the key', 'POST', { title: 'x', key: pem }],
  ['in the title', 'POST', { title: pem, key: 'x' }],
  ['in both, one of the wrong type', 'POST', { title: 7, key: [pem] }],
  ['in broken JSON', 'POST', `{"title": "x", "key": "${pem}`],
]

it.each(bodies)(
  'POST /user/keys returns 422 for a private key %s and repeats it neither in the response nor in the log',
  async (_, method, body) => {
    const ada = await makePerson(site)
    const answer = await call(site, method, '/user/keys', {
      as: ada,
      headers: { 'content-type': 'application/json' },
      raw: typeof body === 'string' ? body : JSON.stringify(body),
    })
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain(secret)
    expect(kept.text()).not.toContain(secret)
  },
)

it('POST /user/keys returns 422 for a private key and says what to paste instead', async () => {
  const ada = await makePerson(site)
  const { body } = await call(site, 'POST', '/user/keys', { as: ada, body: { title: 'x', key: pem } })
  expect(body.message).toMatch(/^Invalid key content: the provided key is a private key.*\.pub/)
})

it('requests are logged without tokens in the query and credentials in headers', async () => {
  const ada = await makePerson(site)
  await call(site, 'GET', `/user?token=${ada.token}`)
  await call(site, 'GET', '/user', { as: { basic: [ada.name, ada.password] } })
  const basic = Buffer.from(`${ada.name}:${ada.password}`).toString('base64')
  for (const hidden of [ada.token, ada.password, basic]) expect(kept.text()).not.toContain(hidden)
})
