import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { countQueries } from '@/testing/count-queries'
import { makeHook } from '@/testing/hooks'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { statusAndMessage } from '@/testing/team-cast'

const site = useSite()
const config = { url: 'https://ci.example.test/hook?key=1', content_type: 'json' }
const slack = { ...config, channel: '#builds' }

async function makeOwned(): Promise<{ owner: Person; org: { id: number }; path: string }> {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  return { owner, org, path: `/orgs/${org.name}/hooks` }
}

const rowOf = (id: number) =>
  site.db.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('POST /orgs/{org}/hooks', () => {
  it('returns 201 with only a type, URL, and content type; by default the webhook is inactive and for pushes', async () => {
    const { owner, org, path } = await makeOwned()
    const made = await call(site, 'POST', path, { as: owner, body: { type: 'gitea', config } })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: '',
      type: 'gitea',
      branch_filter: '',
      config,
      events: ['push'],
      authorization_header: '',
      active: false,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      created_at: made.body.updated_at,
    })
    expect(await rowOf(made.body.id)).toMatchObject({
      scope: 'owner',
      owner_id: org.id,
      repository_id: null,
      target: 'ci.example.test:443',
    })
    const read = await call(site, 'GET', `${path}/${made.body.id}`, { as: owner })
    expect(read.body).toEqual(made.body)
  })

  it('returns 201 and all fields in the request except for the secret and authorization header', async () => {
    const { owner, path } = await makeOwned()
    const input = {
      type: 'gogs',
      name: '  Deploy ',
      config: { ...config, content_type: 'form', secret: 'hunter2-hunter2', http_method: 'GET', extra: 'x' },
      branch_filter: '{main,release/*}',
      events: ['release', 'ISSUES_ONLY', 'push', 'no-such-event', 'team'],
      authorization_header: 'Bearer opensesame',
      active: true,
    }
    const made = await call(site, 'POST', path, { as: owner, body: input })
    expect(made.body).toMatchObject({
      type: 'gogs',
      name: 'Deploy',
      config: { url: config.url, content_type: 'form' },
      branch_filter: '{main,release/*}',
      events: ['issues', 'push', 'release', 'team'],
      authorization_header: '',
      active: true,
    })
    expect(Object.keys(made.body.config).sort()).toEqual(['content_type', 'url'])
    expect(made.text).not.toMatch(/hunter2|opensesame/)
  })

  it('returns 201, stores the URL, secret, and authorization header sealed, and puts none of them into events', async () => {
    const { owner, org, path } = await makeOwned()
    const body = {
      type: 'discord',
      config: { ...config, url: 'https://chat.example.test/api/token-in-path', secret: 'hunter2' },
      authorization_header: 'Bearer opensesame',
    }
    const made = await call(site, 'POST', path, { as: owner, body })
    const { rows } = await sql`select to_jsonb(hooks) from hooks where id = ${made.body.id}`.execute(site.db)
    const hidden = ['token-in-path', 'hunter2', 'opensesame']
    const stored = JSON.stringify(rows)
    for (const text of hidden) {
      expect(stored).not.toContain(text)
      expect(stored).not.toContain(Buffer.from(text).toString('hex'))
    }
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .execute()
    expect(events).toEqual([
      {
        kind: 'hook.added',
        data: {
          hookId: made.body.id,
          type: 'discord',
          target: 'chat.example.test:443',
          scope: 'owner',
          repositoryId: null,
        },
      },
    ])
  })

  it.each([
    'gitea',
    'gogs',
    'discord',
    'dingtalk',
    'telegram',
    'msteams',
    'feishu',
    'matrix',
    'wechatwork',
    'packagist',
  ])('returns 201 for type %s with only a URL and a content type', async type => {
    const { owner, path } = await makeOwned()
    const made = await call(site, 'POST', path, { as: owner, body: { type, config } })
    expect([made.status, made.body.type]).toEqual([201, type])
  })

  it('returns 201 for type slack with a channel and the style of its messages', async () => {
    const { owner, path } = await makeOwned()
    const bare = await call(site, 'POST', path, { as: owner, body: { type: 'slack', config: slack } })
    expect(bare.body.config).toEqual({ ...slack, username: '', icon_url: '', color: '' })
    const dressed = { ...slack, username: 'CI', icon_url: 'https://x.test/i.png', color: 'good' }
    const made = await call(site, 'POST', path, { as: owner, body: { type: 'slack', config: dressed } })
    expect(made.body.config).toEqual(dressed)
  })

  it.each([
    [{}, 422, '[Type]: Required'],
    [{ type: '', config }, 422, '[Type]: Required'],
    [{ type: 'nope' }, 422, '[Config]: Required'],
    [
      { type: 'nope', config: {}, branch_filter: 'a[', name: 'x'.repeat(256) },
      422,
      '[BranchFilter]: the "[" at position 2 is never closed',
    ],
    [{ type: 'nope', config: {}, name: 'x'.repeat(256) }, 422, /^\[Name\]: MaxSize/],
    [{ type: 'nope', config: {} }, 422, 'Invalid hook type: nope'],
    [{ type: 'GITEA', config }, 422, 'Invalid hook type: GITEA'],
    [{ type: 'gitea', config: {} }, 422, 'Missing config option: url'],
    [{ type: 'gitea', config: { url: 'x' } }, 422, 'Missing config option: content_type'],
    [{ type: 'gitea', config: { url: 'x', content_type: 'xml' } }, 422, 'Invalid content type'],
    [{ type: 'gitea', config: { url: 'x', content_type: 'JSON' } }, 422, 'Invalid content type'],
    [{ type: 'slack', config: { ...config, url: 'x', is_system_webhook: 'maybe' } }, 422, 'Invalid url'],
    [
      { type: 'slack', config: { ...config, is_system_webhook: 'maybe' } },
      422,
      'Invalid is_system_webhook value',
    ],
    [{ type: 'slack', config }, 422, 'Missing config option: channel'],
    [{ type: 'slack', config: { ...config, channel: 'No Channel!' } }, 400, 'Invalid slack channel name'],
    [{ type: 'slack', config: { ...config, channel: '' } }, 400, 'Invalid slack channel name'],
    [
      { type: 'gitea', config: { ...config, secret: 'whsec_?' } },
      422,
      /^config\.secret: a secret that starts with whsec_ /,
    ],
    [
      { type: 'gitea', config, events: ['pushed', 'star'] },
      422,
      /^There is no event named "pushed", "star"\. /,
    ],
    [{ type: 'gitea', config: { ...config, secret: 7 } }, 422, '[]: config.secret: expected string'],
    [{ type: 'gitea', config, events: 'push' }, 422, /^\[\]: events/],
    [{ type: 'gitea', config, active: 'yes' }, 422, /^\[\]: active/],
  ])('rejects %j with %d and the contract’s message', async (body, status, message) => {
    const { owner, path } = await makeOwned()
    const answer = await call(site, 'POST', path, { as: owner, body })
    expect(answer.status).toBe(status)
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it.each([
    [{ content_type: 'xml' }, 'content_type: it must be json or form'],
    [{ url: 'x' }, 'url: it must be a complete http or https URL, such as https://ci.example.com/hook'],
    [{ url: 'http://x.test:0/' }, 'url: the port must be a number from 1 to 65535'],
    [{ is_system_webhook: 'maybe' }, 'is_system_webhook: it must be "true" or "false"'],
  ])('adds the accepted values to the message that clients know, for %j', async (wrong, right) => {
    const { owner, path } = await makeOwned()
    const body = { type: 'gitea', config: { ...config, ...wrong } }
    expect((await call(site, 'POST', path, { as: owner, body })).body.errors).toEqual([right])
  })

  it.each([
    '',
    'ci.example.test',
    '/hook',
    '//ci.example.test/hook',
    'http:ci.example.test',
    'ftp://ci.example.test/',
    'javascript:alert(1)',
    'https://',
    'https:///ci.example.test/',
    'https://ci.example.test/ x',
    'https://ci.exa\nmple.test/',
    'https://[::1/',
  ])('returns 422 for %j, which is not a valid URL', async url => {
    const { owner, path } = await makeOwned()
    const answer = await call(site, 'POST', path, {
      as: owner,
      body: { type: 'gitea', config: { ...config, url } },
    })
    expect(statusAndMessage(answer)).toEqual([422, 'Invalid url'])
  })

  it.each([
    'https://ci.example.test:99999/',
    'https://ci.example.test:65536',
    'https://[::1]:70000/',
    'https://ci.example.test:0/',
    'https://ci.example.test:port/',
    'https://ci.example.test:-1/',
  ])('returns 422 for the invalid port in %j and names the problem', async url => {
    const { owner, path } = await makeOwned()
    const body = { type: 'gitea', config: { ...config, url } }
    expect(statusAndMessage(await call(site, 'POST', path, { as: owner, body }))).toEqual([
      422,
      'Invalid url: the port must be a number from 1 to 65535',
    ])
  })

  it.each([
    'https://ada:hunter2@ci.example.test/',
    'https://hunter2@ci.example.test/',
    'https://:hunter2@ci.example.test:99999/',
    'https://a@b:hunter2@ci.example.test?x',
  ])(
    'returns 422 for the password in %j, refers to the authorization header, and does not repeat the password',
    async url => {
      const { owner, path } = await makeOwned()
      const body = { type: 'gitea', config: { ...config, url } }
      const answer = await call(site, 'POST', path, { as: owner, body })
      expect(statusAndMessage(answer)).toEqual([
        422,
        expect.stringMatching(
          /^Invalid url: it must not contain a username or password.* authorization header/,
        ),
      ])
      expect(answer.text).not.toContain('hunter2')
    },
  )

  it.each([
    ['', 'the bot token and the method sendMessage and the chat ID (chat_id)'],
    ['/bot/sendMessage?chat_id=1', 'the bot token'],
    ['/bot<token>/sendMessage?chat_id=1', 'the bot token'],
    ['/bot7:a-_B?chat_id=1', 'the bot token and the method sendMessage'],
    ['/bot7:a-_B/getMe?chat_id=1', 'the method sendMessage'],
    ['/bot7:a-_B/sendMessage?chat_id=', 'the chat ID (chat_id)'],
    ['/bot7:a-_B/sendMessage#chat_id=1', 'the chat ID (chat_id)'],
  ])('returns 422 for a Telegram URL that ends in %j and lacks %s', async (rest, lacking) => {
    const { owner, path } = await makeOwned()
    const body = { type: 'telegram', config: { ...config, url: `https://api.telegram.org${rest}` } }
    expect(statusAndMessage(await call(site, 'POST', path, { as: owner, body }))).toEqual([
      422,
      `Invalid url: it is missing ${lacking}. The format is https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`,
    ])
  })

  it.each([
    '/bot7:a-_B/sendMessage?chat_id=-100',
    '/bot7%3Aa/test/sendMessage?chat_id=@c&message_thread_id=2',
  ])('returns 201 for a Telegram URL that ends in %s', async rest => {
    const { owner, path } = await makeOwned()
    const body = { type: 'telegram', config: { ...config, url: `https://api.telegram.org${rest}` } }
    expect((await call(site, 'POST', path, { as: owner, body })).status).toBe(201)
  })

  it('returns 422 for texts that are too long, and for an authorization header that cannot be sent', async () => {
    const { owner, path } = await makeOwned()
    for (const [fields, message] of [
      [
        { config: { ...config, url: `https://x.test/${'a'.repeat(2048)}` } },
        /^\[Config\]: MaxSize: config\.url: /,
      ],
      [{ config: { ...config, secret: 'x'.repeat(2049) } }, /^\[Config\]: MaxSize: config\.secret: /],
      [
        { config: { ...config, ['x'.repeat(101)]: '' } },
        /^\[Config\]: Option names can have at most 100 characters/,
      ],
      [{ events: Array(101).fill('push') }, /^\[Events\]: MaxSize/],
      [{ branch_filter: 'x'.repeat(501) }, /^\[BranchFilter\]: MaxSize/],
      [{ authorization_header: 'x'.repeat(4097) }, /^\[AuthorizationHeader\]: MaxSize/],
      [{ authorization_header: 'a\r\nX-Injected: 1' }, /^\[AuthorizationHeader\]/],
      [{ authorization_header: 'ключ' }, /^\[AuthorizationHeader\]/],
    ] as const) {
      const answer = await call(site, 'POST', path, { as: owner, body: { type: 'gitea', config, ...fields } })
      expect(statusAndMessage(answer)).toEqual([422, expect.stringMatching(message)])
    }
  })

  it('returns 403 for a system webhook to anyone but administrators, and 422 to administrators', async () => {
    const { owner, path } = await makeOwned()
    const root = await makePerson(site, { is_admin: true })
    const wish = (value: string) => ({ type: 'gitea', config: { ...config, is_system_webhook: value } })
    expect(statusAndMessage(await call(site, 'POST', path, { as: owner, body: wish('true') }))).toEqual([
      403,
      'user should be the site admin',
    ])
    expect((await call(site, 'POST', path, { as: root, body: wish('T') })).status).toBe(422)
    for (const value of ['false', '0', '']) {
      expect((await call(site, 'POST', path, { as: owner, body: wish(value) })).status).toBe(201)
    }
  })

  it('needs one statement in its transaction, which records the event', async () => {
    const { owner, org, path } = await makeOwned()
    const queries = countQueries(site)
    const { body } = await call(site, 'POST', path, { as: owner, body: { type: 'gitea', config } })
    expect(queries.inTransaction).toBe(1)
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'data'])
      .where('owner_id', '=', org.id)
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      kind: 'hook.added',
      actor_id: owner.account.id,
      data: {
        hookId: body.id,
        type: 'gitea',
        target: 'ci.example.test:443',
        scope: 'owner',
        repositoryId: null,
      },
    })
  })

  it('returns 422 for more than 250 webhooks in an organization', async () => {
    const { owner, org, path } = await makeOwned()
    const { id: _, ...hook } = await makeHook(site, { owner_id: org.id })
    const copies = Array.from({ length: 249 }, () => ({ ...hook, options: '{}' }))
    await site.db.insertInto('hooks').values(copies).execute()
    const answer = await call(site, 'POST', path, { as: owner, body: { type: 'gitea', config } })
    expect(statusAndMessage(answer)).toEqual([
      422,
      expect.stringContaining('maximum number of webhooks is 250'),
    ])
  })
})
