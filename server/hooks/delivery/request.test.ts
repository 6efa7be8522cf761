import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { seal } from '@/server/kernel/seal'
import { buildRequest, withoutCredentials } from './request'
import { sealing } from './testing/queue'

const uuid = '0191e7c2-5b1a-4c3e-9f00-1d2e3f405162'
const json = '{\n  "action": "created & more"\n}'
const sealed = (purpose: 'url' | 'secret' | 'authorization', text: string) =>
  seal(sealing, `hook.${purpose}`, text)

type Described = Parameters<typeof buildRequest>[1]
const delivery = (overrides: Partial<Described> = {}): Described => ({
  uuid,
  event: 'pull_request',
  event_type: 'pull_request_label',
  sequence: 42,
  attempts: 2,
  content_type: 'json',
  type: 'gitea',
  target_type: 'organization',
  url_sealed: sealed('url', 'https://ci.example.com/hook?a=b#c'),
  secret_sealed: sealed('secret', 'a secret'),
  former_secret_sealed: null,
  former_secret_until: null,
  authorization_sealed: null,
  ...overrides,
})
const sentAt = new Date()
const build = (overrides: Partial<Described> = {}) => buildRequest(sealing, delivery(overrides), json, sentAt)
const hmac = (algorithm: string) => createHmac(algorithm, 'a secret').update(json).digest('hex')

describe('the request to a chat', () => {
  it('uses the delivery ID as the transaction ID of Matrix, so that a retry does not repeat the message', () => {
    const room = 'https://matrix.example.com/_matrix/client/v3/rooms/!a:b/send/m.room.message'
    const { method, url } = build({ type: 'matrix', url_sealed: sealed('url', room) })
    expect([method, url]).toEqual(['PUT', `${room}/${uuid}`])
  })

  it.each(['slack', 'discord', 'msteams', 'telegram', 'matrix'])(
    'is sent to %s as JSON even if the webhook is set to use a form',
    type => {
      const { headers, body } = build({ type, content_type: 'form' })
      expect([headers['Content-Type'], body]).toEqual(['application/json', json])
    },
  )
})

describe('the request of a delivery', () => {
  it('has all headers that receivers for Gitea, Gogs, GitHub, and Standard Webhooks read', () => {
    const { headers, method, body } = build()
    expect([method, body]).toEqual(['POST', json])
    expect(headers).toEqual({
      'User-Agent': expect.stringMatching(/^Guildhall\/\d+\.\d+\.\d+$/),
      'Content-Type': 'application/json',
      'X-Gitea-Delivery': uuid,
      'X-Gogs-Delivery': uuid,
      'X-GitHub-Delivery': uuid,
      'X-Gitea-Event': 'pull_request',
      'X-Gogs-Event': 'pull_request',
      'X-GitHub-Event': 'pull_request',
      'X-Gitea-Event-Type': 'pull_request_label',
      'X-Gogs-Event-Type': 'pull_request_label',
      'X-GitHub-Event-Type': 'pull_request_label',
      'X-Gitea-Signature': hmac('sha256'),
      'X-Gogs-Signature': hmac('sha256'),
      'X-Hub-Signature': `sha1=${hmac('sha1')}`,
      'X-Hub-Signature-256': `sha256=${hmac('sha256')}`,
      'X-Gitea-Hook-Installation-Target-Type': 'organization',
      'X-GitHub-Hook-Installation-Target-Type': 'organization',
      'X-Guildhall-Sequence': '42',
      'X-Guildhall-Attempt': '3',
      'webhook-id': uuid,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
  })

  it('is a form with the field "payload" if the webhook is set to use a form, and signs the JSON', () => {
    const { headers, body } = build({ content_type: 'form' })
    expect(headers).toMatchObject({
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Gitea-Signature': hmac('sha256'),
    })
    expect([...new URLSearchParams(body)]).toEqual([['payload', json]])
    const library = new Webhook('a secret', { format: 'raw' })
    expect(() => library.verify(body, headers, { jsonParse: false })).not.toThrow()
  })

  it('has signature headers without an HMAC if there is no secret', () => {
    expect(build({ secret_sealed: null }).headers).toMatchObject({
      'X-Gitea-Signature': '',
      'X-Gogs-Signature': '',
      'X-Hub-Signature': 'sha1=',
      'X-Hub-Signature-256': 'sha256=',
    })
  })

  it('is also signed with the former secret until that expires', () => {
    const former = { former_secret_sealed: sealed('secret', 'the former one') }
    const live = build({ ...former, former_secret_until: new Date(sentAt.getTime() + 1) })
    const over = build({ ...former, former_secret_until: sentAt })
    const library = new Webhook('the former one', { format: 'raw' })
    expect(library.verify(json, live.headers)).toBeTruthy()
    expect(() => library.verify(json, over.headers)).toThrow('No matching signature')
    expect(live.headers['X-Gitea-Signature']).toBe(hmac('sha256'))
  })

  it('contains the authorization header, which withoutCredentials masks', () => {
    const { headers } = build({ authorization_sealed: sealed('authorization', 'Bearer of a token') })
    expect(headers.Authorization).toBe('Bearer of a token')
    expect(withoutCredentials(headers)).toEqual({ ...headers, Authorization: '******' })
  })

  it('cannot be built if the site’s secret key is not the one that encrypted the webhook', () => {
    expect(() => buildRequest({ secretKey: 'another key' }, delivery(), json, sentAt)).toThrow('secret key')
  })
})
