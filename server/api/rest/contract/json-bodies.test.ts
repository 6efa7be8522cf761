import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function send(
  raw: string | Uint8Array<ArrayBuffer> | undefined,
  type?: string,
  method = 'POST',
  path = '/user/keys',
) {
  const ada = await makePerson(site)
  const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const answer = await call(site, method, path, { as: ada, raw: bytes, headers })
  return [answer.status, answer.body?.message ?? answer.body?.title ?? answer.body?.location]
}

const valid = () => JSON.stringify({ title: 'laptop', key: newKey().text })

describe('the content type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'text/json',
    'application/merge-patch+json',
  ])('201: %s is JSON', async type => {
    expect(await send(valid(), type)).toEqual([201, 'laptop'])
  })

  it.each(['text/plain', 'application/xml', 'application/octet-stream', 'nonsense'])(
    '422: %s is not',
    async type => {
      expect(await send(valid(), type)).toEqual([422, '[]: Unsupported Content-Type'])
    },
  )

  it('422: a body without one', async () => {
    expect(await send(valid())).toEqual([422, '[]: Empty Content-Type'])
  })
})

describe('an empty body', () => {
  it('422: is as {} where something is required', async () => {
    expect(await send('', 'application/json')).toEqual([422, '[Title]: Required'])
    expect(await send(undefined)).toEqual([422, '[Title]: Required'])
  })

  it('200: is as {} where nothing is', async () => {
    expect(await send('', 'application/json', 'PATCH', '/user/settings')).toEqual([200, ''])
    expect(await send(undefined, undefined, 'PATCH', '/user/settings')).toEqual([200, ''])
  })

  it('200: a JSON type on a call without a body does not matter', async () => {
    expect((await send(undefined, 'application/json', 'GET', '/user'))[0]).toBe(200)
  })

  it('204: a call whose endpoint knows no body needs neither body nor type', async () => {
    const bob = await makePerson(site)
    expect((await send(undefined, undefined, 'PUT', `/user/blocks/${bob.name}`))[0]).toBe(204)
    expect((await send('whatever', 'text/plain', 'PUT', `/user/blocks/${bob.name}`))[0]).toBe(204)
  })
})

describe('a body that is no JSON object', () => {
  it.each(['{', '{"title":', "{'title':1}", '{"a":1}}', 'hello', '\0', '{"title":"\u0001"}', '\ufeff'])(
    '422: %j, without repeating it',
    async text => {
      expect(await send(text, 'application/json')).toEqual([422, '[]: the body is not valid JSON'])
    },
  )

  it('422: bytes that are no UTF-8', async () => {
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    expect(await send(bytes, 'application/json')).toEqual([422, '[]: the body is not valid JSON'])
  })

  it.each(['[]', '[{"title":"x"}]', 'null', '42', '"text"', 'true'])('422: %s', async text => {
    expect(await send(text, 'application/json')).toEqual([422, '[]: the body is not a JSON object'])
  })

  it('401: who may call is settled first', async () => {
    const answer = await call(site, 'POST', '/user/keys', {
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(401)
  })
})

describe('the fields', () => {
  const json = async (body: unknown, method?: string, path?: string) =>
    await send(JSON.stringify(body), 'application/json', method, path)

  it.each([
    [{ title: 5, key: 'x' }, '[]: title: expected string'],
    [{ title: ['x'], key: 'x' }, '[]: title: expected string'],
    [{ title: {}, key: 'x' }, '[]: title: expected string'],
    [{ title: true, key: 'x' }, '[]: title: expected string'],
    [{ title: 'x', key: 7 }, '[]: key: expected string'],
    [{ title: 'x', key: 'x', read_only: 'false' }, '[]: read_only: expected boolean'],
    [{ title: 'x', key: 'x', read_only: 1 }, '[]: read_only: expected boolean'],
  ])('422: %j has a wrong type', async (body, message) => {
    expect(await json(body)).toEqual([422, message])
  })

  it('201: unknown ones are ignored, and of one given twice the last counts', async () => {
    const { text } = newKey()
    expect(await json({ title: 'x', key: text, unknown: { deep: [1] }, id: 5, user: null })).toEqual([
      201,
      'x',
    ])
    const twice = `{"title":"first","title":"last","key":"${newKey().text}"}`
    expect(await send(twice, 'application/json')).toEqual([201, 'last'])
  })

  it('200: null is as if it were not there', async () => {
    const body = {
      full_name: null,
      website: null,
      location: 'Paris',
      description: null,
      hide_email: null,
      language: null,
    }
    expect(await json(body, 'PATCH', '/user/settings')).toEqual([200, 'Paris'])
  })

  it('422: names are compared with case', async () => {
    expect(await json({ Title: 'x', KEY: newKey().text })).toEqual([422, '[Title]: Required'])
  })

  it.each([
    ['full_name', 'x'.repeat(101), /^\[FullName\]: MaxSize/],
    ['website', 'javascript:alert(1)', /^\[Website\]: /],
    ['location', 'a\u0000b', /^\[Location\]: /],
    ['description', '\ud800', /^\[Description\]: /],
  ])('422: %s breaks its rule, which the message names', async (field, value, message) => {
    const [status, text] = await json({ [field]: value }, 'PATCH', '/user/settings')
    expect(status).toBe(422)
    expect(text).toMatch(message)
  })
})
