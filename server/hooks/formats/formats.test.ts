import { assert, asyncProperty, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { series } from '@/testing/series'
import { formatBody, transportOf } from '.'
import { textAlone, write } from './message'
import { messageOf } from './sentences'
import { pushOf, samples, samplesByType, samplesSaying } from './testing/samples'

const chats = ['slack', 'discord', 'msteams', 'telegram', 'matrix'] as const
const slackOptions = {
  channel: '#builds',
  username: 'forge',
  icon_url: 'https://forge.example.com/i.png',
  color: '',
}

function bodyFor(type: string, payload: Parameters<typeof formatBody>[1]): string {
  const formatted = formatBody(type, payload, type === 'slack' ? slackOptions : {})
  return 'body' in formatted ? formatted.body : ''
}

it.each(samples)('sample payload %# is described as "%s"', (payload, sentence) => {
  expect(write(messageOf(payload).sentence, textAlone)).toBe(sentence)
})

it.each(chats)('every event type has the expected message in %s', async type => {
  const messages = Object.entries(samplesByType).map(([event, payload]) => [
    event,
    JSON.parse(bodyFor(type, payload)),
  ])
  const golden = `${JSON.stringify(Object.fromEntries(messages), null, 2)}\n`
  await expect(golden).toMatchFileSnapshot(`golden/${type}.json`)
})

it.each(['gitea', 'gogs', 'dingtalk', 'feishu', 'wechatwork', 'packagist'] as const)(
  'webhooks of the type %s get JSON that is indented as by Gitea',
  type => {
    for (const [payload] of samples) {
      expect(bodyFor(type, payload)).toBe(JSON.stringify(payload.body, null, payload.indent))
    }
    expect(bodyFor(type, samplesByType.repository!)).toMatch(/^\{\n "/)
    expect(bodyFor(type, samplesByType.push!)).toMatch(/^\{\n {2}"/)
  },
)

it('a push without commits is only sent to webhooks of the types gitea and gogs', () => {
  const push = pushOf(0, 0)
  for (const type of [...chats, 'dingtalk', 'feishu', 'wechatwork', 'packagist'] as const) {
    expect(formatBody(type, push, {})).toEqual({ skipped: 'no_commits' })
  }
  for (const type of ['gitea', 'gogs'] as const) expect(formatBody(type, push, {})).toHaveProperty('body')
})

it('the color option of a Slack webhook overrides the color of the event', () => {
  const formatted = formatBody('slack', samplesByType.push!, { ...slackOptions, color: '#ff0000' })
  expect('body' in formatted && JSON.parse(formatted.body).attachments[0].color).toBe('#ff0000')
})

describe('transportOf', () => {
  const hook = { url: 'https://chat.example.com/hooks/1?key=a', contentType: 'form' } as const

  it('sends a POST request to the URL with the content type of the webhook', () => {
    expect(transportOf('gitea', hook, 'id')).toEqual({ method: 'POST', ...hook })
    expect(transportOf('packagist', hook, 'id')).toEqual({ method: 'POST', ...hook })
  })

  it.each(['slack', 'discord', 'msteams', 'telegram'] as const)(
    'sends JSON to %s regardless of the webhook’s content type',
    type => {
      expect(transportOf(type, hook, 'id')).toEqual({ method: 'POST', url: hook.url, contentType: 'json' })
    },
  )

  it('sends a PUT request to Matrix, with the delivery ID in the URL', () => {
    const room = 'https://matrix.example.com/_matrix/client/v3/rooms/!a:example.com/send/m.room.message'
    for (const url of [room, `${room}/`]) {
      expect(transportOf('matrix', { url, contentType: 'form' }, 'd1-2')).toEqual({
        method: 'PUT',
        url: `${room}/d1-2`,
        contentType: 'json',
      })
    }
    expect(transportOf('matrix', hook, 'd1').url).toBe('https://chat.example.com/hooks/1/d1?key=a')
  })
})

const hostile = [
  '<!channel> <!everyone> <@U012> @everyone @here @channel @room',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</a><a href="javascript:alert(1)">click</a>',
  '"><b>bold</b>',
  "' onmouseover='x",
  '[click](https://evil.example) ![x](https://evil.example/x.png)',
  '<https://evil.example|trusted> <javascript:alert(1)|x>',
  '](https://evil.example) [x',
  '**bold** __u__ ~~s~~ `code` ||spoiler|| ```block```',
  '# Title\n> quote\n- list',
  'first\r\nsecond\u2028third\u0085fourth',
  'abc\u202egnp.exe\u202c \u2066x\u2069 \u0000\u0007\u001b[31m',
  'javascript:alert(1)',
  'https://evil.example/"onclick="x()|y>(z)[w]',
  '&lt;b&gt; &amp; &#60;',
  '\\[x\\](y)\\',
  '\ud800 lone \udc00',
  '👩‍👩‍👧‍👦'.repeat(200),
  'a'.repeat(100_000),
  '<'.repeat(5_000),
  '@'.repeat(5_000),
  '',
]

const texts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(texts)
      : []

/** Functions per chat that fail the test if a message contains markup that a user could have injected. */
const isHarmless = {
  slack({ text, attachments }: { text: string; attachments?: { text: string; fallback: string }[] }) {
    for (const shown of [
      text,
      ...(attachments ?? []).flatMap(attachment => [attachment.text, attachment.fallback]),
    ]) {
      expect(shown.replace(/<https?:\/\/[^<>|]+\|[^<>]*>/g, '')).not.toMatch(
        /[<>]|@(?!\u200b)|\]\(|&(?!(amp|lt|gt);)/,
      )
    }
    expect(text.length).toBeLessThan(4_000)
  },

  discord({ embeds, allowed_mentions: mentions }: DiscordMessage) {
    const { title, description = '', author } = embeds[0]!
    const bare = description
      .replace(/\\[^a-z0-9\s]/gi, '')
      .replace(/\[[^[\]()]*\]\(https?:\/\/[^()\s]+\)/g, '')
    expect(bare).not.toMatch(/[\\*_~`|[\]<>@#]|\(http/)
    expect(title.replace(/\\[^a-z0-9\s]/gi, '')).not.toMatch(/[\\*_~`|[\]<>@#]/)
    expect(mentions).toEqual({ parse: [] })
    expect(title.length).toBeLessThanOrEqual(256)
    expect(author.name.length).toBeLessThanOrEqual(256)
    expect(description.length).toBeLessThanOrEqual(4_096)
    expect(title.length + description.length + author.name.length).toBeLessThanOrEqual(6_000)
  },

  telegram({ text }: { text: string }) {
    expectOnlyLinks(text)
    expect(text.replace(/<[^>]*>/g, '')).not.toMatch(/@(?!\u200b)/)
    expect(text.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '.').length).toBeLessThanOrEqual(4_096)
  },

  matrix(message: { formatted_body: string; 'm.mentions': object }) {
    expectOnlyLinks(message.formatted_body)
    expect(message['m.mentions']).toEqual({})
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(60_000)
  },

  msteams(message: object) {
    const types = [...JSON.stringify(message).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type)
    expect(types).not.toContain('TextBlock')
    for (const [, url] of JSON.stringify(message).matchAll(/"url":"([^"]*)"/g))
      expect(url).toMatch(/^https?:\/\//)
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(28_000)
  },
}

interface DiscordMessage {
  embeds: { title: string; description?: string; author: { name: string } }[]
  allowed_mentions: object
}

function expectOnlyLinks(html: string): void {
  const bare = html.replace(/<a href="https?:\/\/[^"<>]+">[^<>]*<\/a>|<br>/g, '')
  expect(bare).not.toMatch(/[<>"]|&(?!(amp|lt|gt|quot|#39);)/)
}

function expectHarmless(type: (typeof chats)[number], text: string): void {
  for (const payload of samplesSaying(text)) {
    const message = JSON.parse(bodyFor(type, payload))
    isHarmless[type](message)
    for (const shown of texts(message)) {
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }
  }
}

describe.each(chats)('a message in %s', type => {
  it('shows known markup injections only as text', () => {
    for (const text of hostile) expectHarmless(type, text)
  })

  it('shows arbitrary user-supplied text only as text', { tags: 'series' }, async () => {
    const odd = string({ unit: 'binary', maxLength: 40 })
    await assert(
      asyncProperty(odd, async text => expectHarmless(type, text)),
      { numRuns: series(25, 100) },
    )
  })
})
