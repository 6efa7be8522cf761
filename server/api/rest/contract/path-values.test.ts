import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('an ID in the path', () => {
  it.each([
    'abc',
    '0',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '1,2',
    '9007199254740993',
    '99999999999999999999',
    '%00',
    '1%2F2',
    '%0a1',
    '1%20',
    'null',
    '１',
    "1'--",
    '9'.repeat(4000),
  ])('returns 404 if it is invalid: %s', async id => {
    const ada = await makePerson(site)
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(site, method, `/user/keys/${id}`, { as: ada })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
    }
  })

  it('can have leading zeros (200)', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    expect((await call(site, 'GET', `/user/keys/00${key.id}`, { as: ada })).body.id).toBe(key.id)
  })
})

describe('a name in the path', () => {
  it.each(['%00', '%0a', '%2F', 'a%2Fb', "'%20or%201=1--", '%25', '🦊', 'x'.repeat(4000)])(
    'returns 404 if it is invalid: %s',
    async name => {
      const ada = await makePerson(site)
      for (const path of [`/users/${name}`, `/users/${name}/keys`, `/user/blocks/${name}`]) {
        const answer = await call(site, 'GET', path, { as: ada })
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual({ message: expect.any(String), url: `${site.url}/api/docs` })
      }
    },
  )

  it('can be percent-encoded and in any case (200)', async () => {
    const ada = await makePerson(site, { name: 'Ada.Lovelace-1815_x' })
    for (const name of ['ADA.LOVELACE-1815_X', '%61da%2elovelace%2D1815_x']) {
      expect((await call(site, 'GET', `/users/${name}`, { as: ada })).body.login).toBe('Ada.Lovelace-1815_x')
    }
  })
})
