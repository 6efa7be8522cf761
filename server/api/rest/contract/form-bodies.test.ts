import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function send(raw: BodyInit, type?: string, path = '/user/keys', method = 'POST') {
  const ada = await makePerson(site)
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  return await call(site, method, path, { as: ada, raw, headers })
}

const urlencoded = 'application/x-www-form-urlencoded'

function multipart(fields: Record<string, string | Blob>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

describe('application/x-www-form-urlencoded', () => {
  it('returns 201 and treats fields as in JSON', async () => {
    const key = newKey('a b')
    const answer = await send(
      new URLSearchParams({ title: 'läptop + more', key: key.text, read_only: 'true' }),
    )
    expect([answer.status, answer.body.title, answer.body.key]).toEqual([201, 'läptop + more', key.text])
  })

  it('returns 200 and reads flags as words, where all words but true, 1, and on mean false', async () => {
    for (const [word, flag] of [
      ['true', true],
      ['1', true],
      ['on', true],
      ['false', false],
      ['', false],
    ] as const) {
      const answer = await send(
        new URLSearchParams({ hide_email: word }),
        undefined,
        '/user/settings',
        'PATCH',
      )
      expect([answer.status, answer.body.hide_email]).toEqual([200, flag])
    }
  })

  it('returns 201 for a list sent as a repeated field', async () => {
    const ada = await makePerson(site)
    const raw = 'name=ci&scopes=read:user&scopes=write:repository'
    const path = `/users/${ada.name}/tokens`
    const answer = await call(site, 'POST', path, {
      as: withPassword(ada),
      raw,
      headers: { 'content-type': urlencoded },
    })
    expect([answer.status, answer.body.scopes]).toEqual([201, ['write:repository', 'read:user']])
  })

  it('returns 422 for a missing required field', async () => {
    expect((await send(new URLSearchParams({ key: 'x' }))).body.message).toBe('[Title]: Required')
  })

  it.each([
    'constructor=1',
    'toString=1',
    '__proto__=1',
    '__proto__[title]=x',
    'hasOwnProperty=1',
    '=',
    '&&&',
    '%',
    '%00=%00',
  ])('returns 422 for "%s", a form without the required fields', async raw => {
    const answer = await send(raw, urlencoded)
    expect([answer.status, answer.body.message]).toEqual([422, '[Title]: Required'])
  })

  it('returns 422 for a form with too many fields', async () => {
    expect((await send('a=1&'.repeat(2000), urlencoded)).status).toBe(422)
  })
})

describe('multipart/form-data', () => {
  it('returns 201 and treats fields as in JSON', async () => {
    const key = newKey()
    const answer = await send(multipart({ title: 'laptop', key: key.text }))
    expect([answer.status, answer.body.title, answer.body.key]).toEqual([201, 'laptop', key.text])
  })

  it('returns 422 for a file in place of a text field', async () => {
    const answer = await send(multipart({ title: new Blob(['laptop']), key: newKey().text }))
    expect([answer.status, answer.body.message]).toEqual([422, '[Title]: Required'])
  })

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['a boundary that differs from the body', 'multipart/form-data; boundary=b', '--a\r\n\r\nx\r\n--a--\r\n'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
    ],
    ['no header in a part', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
    [
      'a part without a name',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n',
    ],
    [
      'an unknown transfer encoding',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="title"\r\nContent-Transfer-Encoding: x\r\n\r\nx\r\n--b--\r\n',
    ],
    [
      'a name every object has',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="constructor"\r\n\r\nx\r\n--b--\r\n',
    ],
  ])('returns 422 for a form with %s', async (_, type, raw) => {
    const answer = await send(raw, type)
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ message: expect.stringMatching(/^\[/), url: `${site.url}/api/docs` })
  })
})
