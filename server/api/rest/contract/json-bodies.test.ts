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

describe('the content type of a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'text/json',
    'application/merge-patch+json',
  ])('is accepted as JSON (201): %s', async type => {
    expect(await send(valid(), type)).toEqual([201, 'laptop'])
  })

  it.each(['text/plain', 'application/xml', 'application/octet-stream', 'nonsense'])(
    'is rejected (422): %s',
    async type => {
      expect(await send(valid(), type)).toEqual([422, '[]: Unsupported Content-Type'])
    },
  )

  it('is required (422)', async () => {
    expect(await send(valid())).toEqual([422, '[]: Empty Content-Type'])
  })
})

describe('an empty body', () => {
  it('counts as {} if fields are required, and returns 422', async () => {
    expect(await send('', 'application/json')).toEqual([422, '[Title]: Required'])
    expect(await send(undefined)).toEqual([422, '[Title]: Required'])
  })

  it('counts as {} if no field is required, and returns 200', async () => {
    expect(await send('', 'application/json', 'PATCH', '/user/settings')).toEqual([200, ''])
    expect(await send(undefined, undefined, 'PATCH', '/user/settings')).toEqual([200, ''])
  })

  it('can be sent with a JSON content type (200)', async () => {
    expect((await send(undefined, 'application/json', 'GET', '/user'))[0]).toBe(200)
  })

  it('is not required by endpoints without a body, which ignore any body (204)', async () => {
    const bob = await makePerson(site)
    expect((await send(undefined, undefined, 'PUT', `/user/blocks/${bob.name}`))[0]).toBe(204)
    expect((await send('whatever', 'text/plain', 'PUT', `/user/blocks/${bob.name}`))[0]).toBe(204)
  })
})

describe('a body that is not a JSON object', () => {
  it.each(['{', '{"title":', "{'title':1}", '{"a":1}}', 'hello', '\0', '{"title":"\u0001"}', '\ufeff'])(
    'returns 422 without repeating it: %j',
    async text => {
      expect(await send(text, 'application/json')).toEqual([422, '[]: the body is not valid JSON'])
    },
  )

  it('returns 422 if it is not UTF-8', async () => {
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    expect(await send(bytes, 'application/json')).toEqual([422, '[]: the body is not valid JSON'])
  })

  it.each(['[]', '[{"title":"x"}]', 'null', '42', '"text"', 'true'])('returns 422: %s', async text => {
    expect(await send(text, 'application/json')).toEqual([422, '[]: the body is not a JSON object'])
  })

  it('returns 401 if the request has no credentials', async () => {
    const answer = await call(site, 'POST', '/user/keys', {
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(401)
  })
})

describe('the fields of a JSON body', () => {
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
  ])('return 422 for a wrong type: %j', async (body, message) => {
    expect(await json(body)).toEqual([422, message])
  })

  it('are ignored if unknown, and the last of duplicate fields counts (201)', async () => {
    const { text } = newKey()
    expect(await json({ title: 'x', key: text, unknown: { deep: [1] }, id: 5, user: null })).toEqual([
      201,
      'x',
    ])
    const twice = `{"title":"first","title":"last","key":"${newKey().text}"}`
    expect(await send(twice, 'application/json')).toEqual([201, 'last'])
  })

  it('count as absent if null (200)', async () => {
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

  it('have case-sensitive names (422)', async () => {
    expect(await json({ Title: 'x', KEY: newKey().text })).toEqual([422, '[Title]: Required'])
  })

  it.each([
    ['full_name', 'x'.repeat(101), /^\[FullName\]: MaxSize/],
    ['website', 'javascript:alert(1)', /^\[Website\]: /],
    ['location', 'a\u0000b', /^\[Location\]: /],
    ['description', '\ud800', /^\[Description\]: /],
  ])('return 422 and name the violated rule of %s', async (field, value, message) => {
    const [status, text] = await json({ [field]: value }, 'PATCH', '/user/settings')
    expect(status).toBe(422)
    expect(text).toMatch(message)
  })
})
