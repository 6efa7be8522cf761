import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { type Signed, signatureHeaders } from './sign'

const json = '{\n  "ref": "refs/heads/Zweig-ä"\n}'
const signed = (overrides: Partial<Signed> = {}): Signed => ({
  uuid: '0191e7c2-5b1a-4c3e-9f00-1d2e3f405162',
  json,
  body: json,
  sentAt: new Date(),
  secret: 'it is a secret',
  formerSecret: undefined,
  ...overrides,
})

describe('the signatures of Gitea, Gogs, and GitHub', () => {
  it('match those computed by OpenSSL', () => {
    // From `openssl dgst -hmac`, as Gitea, Gogs and GitHub tell receivers to check them.
    const headers = signatureHeaders(signed({ json: 'what do ya want for nothing?', secret: 'Jefe' }))
    const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    expect(headers).toMatchObject({
      'X-Gitea-Signature': sha256,
      'X-Gogs-Signature': sha256,
      'X-Hub-Signature-256': `sha256=${sha256}`,
      'X-Hub-Signature': 'sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
    })
  })

  it('cover the JSON even if it is sent as a form', () => {
    const body = `payload=${encodeURIComponent(json)}`
    const expected = createHmac('sha256', 'it is a secret').update(json).digest('hex')
    expect(signatureHeaders(signed({ body }))['X-Gitea-Signature']).toBe(expected)
  })

  it('have no HMAC if there is no secret', () => {
    const headers = signatureHeaders(signed({ secret: undefined }))
    expect(headers).toEqual({
      'X-Gitea-Signature': '',
      'X-Gogs-Signature': '',
      'X-Hub-Signature': 'sha1=',
      'X-Hub-Signature-256': 'sha256=',
      'webhook-id': expect.any(String),
      'webhook-timestamp': expect.any(String),
    })
  })
})

describe('the signature of Standard Webhooks', () => {
  const generated = `whsec_${Buffer.from('thirty-two bytes of a random key').toString('base64')}`

  it.each([
    ['a generated secret', generated, new Webhook(generated)],
    ['any other secret', 'it is a secret', new Webhook('it is a secret', { format: 'raw' })],
    [
      'an invalid secret that starts with the prefix of generated ones',
      'whsec_?',
      new Webhook('whsec_?', { format: 'raw' }),
    ],
  ])('is accepted by the Standard Webhooks library with %s', (_, secret, library) => {
    const headers = signatureHeaders(signed({ secret }))
    expect(library.verify(json, headers)).toEqual(JSON.parse(json))
    expect(() => library.verify(json.replace('Zweig', 'Ast'), headers)).toThrow('No matching signature')
  })

  it('covers the request body rather than the JSON', () => {
    const body = `payload=${encodeURIComponent(json)}`
    const library = new Webhook(generated)
    const headers = signatureHeaders(signed({ body, secret: generated }))
    expect(() => library.verify(body, headers, { jsonParse: false })).not.toThrow()
  })

  it('is created with both secrets while the former one is still valid', () => {
    const headers = signatureHeaders(signed({ secret: generated, formerSecret: 'the former one' }))
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const library of [new Webhook(generated), new Webhook('the former one', { format: 'raw' })]) {
      expect(library.verify(json, headers)).toEqual(JSON.parse(json))
    }
    expect(() => new Webhook('neither', { format: 'raw' }).verify(json, headers)).toThrow()
  })

  it('contains the time, so that receivers refuse old requests', () => {
    const headers = signatureHeaders(signed({ secret: generated, sentAt: new Date(Date.now() - 6 * 60_000) }))
    expect(() => new Webhook(generated).verify(json, headers)).toThrow('too old')
  })
})
