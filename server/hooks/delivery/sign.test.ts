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

describe('the signatures of the family', () => {
  it('are those that other programs compute', () => {
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

  it('sign the JSON also where it is sent as a form', () => {
    const body = `payload=${encodeURIComponent(json)}`
    const expected = createHmac('sha256', 'it is a secret').update(json).digest('hex')
    expect(signatureHeaders(signed({ body }))['X-Gitea-Signature']).toBe(expected)
  })

  it('are there and empty without a secret', () => {
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
    ['what only begins like a generated one', 'whsec_?', new Webhook('whsec_?', { format: 'raw' })],
  ])('is accepted by their library with %s', (_, secret, library) => {
    const headers = signatureHeaders(signed({ secret }))
    expect(library.verify(json, headers)).toEqual(JSON.parse(json))
    expect(() => library.verify(json.replace('Zweig', 'Ast'), headers)).toThrow('No matching signature')
  })

  it('signs the body that is sent, as that is what receivers see', () => {
    const body = `payload=${encodeURIComponent(json)}`
    const library = new Webhook(generated)
    const headers = signatureHeaders(signed({ body, secret: generated }))
    expect(() => library.verify(body, headers, { jsonParse: false })).not.toThrow()
  })

  it('is made with both secrets while one replaces the other', () => {
    const headers = signatureHeaders(signed({ secret: generated, formerSecret: 'the former one' }))
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const library of [new Webhook(generated), new Webhook('the former one', { format: 'raw' })]) {
      expect(library.verify(json, headers)).toEqual(JSON.parse(json))
    }
    expect(() => new Webhook('neither', { format: 'raw' }).verify(json, headers)).toThrow()
  })

  it('tells when it was made, so that nobody can send it again later', () => {
    const headers = signatureHeaders(signed({ secret: generated, sentAt: new Date(Date.now() - 6 * 60_000) }))
    expect(() => new Webhook(generated).verify(json, headers)).toThrow('too old')
  })
})
