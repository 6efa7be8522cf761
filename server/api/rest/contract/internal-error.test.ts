import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { newKey } from '@/testing/keys'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({}, kept.log)

it('an unexpected failure returns 500 with a request ID, and only the log has the details', async () => {
  const root = await makePerson(site, { is_admin: true })
  await sql`alter table public_keys rename to gone`.execute(site.db)
  const { text: key } = newKey()
  for (const answer of [
    await call(site, 'GET', '/user/keys', { as: root }),
    await call(site, 'POST', '/user/keys', { as: root, body: { title: 'x', key } }),
    await call(site, 'DELETE', '/user/keys/1', { as: root }),
  ]) {
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      message: expect.stringMatching(/^internal error \(request [0-9a-f-]{36}\)$/),
      url: `${site.url}/api/docs`,
    })
    expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
    const id = /request ([0-9a-f-]{36})/.exec(answer.body.message)?.[1]
    if (mount === 'server') expect(answer.headers.get('x-request-id')).toBe(id)
    const line = kept
      .text()
      .split('\n')
      .find(text => text.includes(`"${id}"`) && text.includes('public_keys'))
    expect(line).toContain('unexpected failure')
  }
  expect(kept.text()).not.toContain(key)
})

it('a failure to load the caller returns 500 without details', async () => {
  const ada = await makePerson(site)
  await sql`alter table access_tokens rename to gone_too`.execute(site.db)
  const answer = await call(site, 'GET', '/user', { as: ada })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toMatch(/access_tokens|select|relation|stack|\.ts/)
  expect(kept.text()).not.toContain(ada.token)
})
