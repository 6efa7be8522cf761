import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeNamed(owner: Person, name: string): Promise<{ id: number; sha1: string }> {
  const as = withPassword(owner)
  return (await call(site, 'POST', `/users/${owner.name}/tokens`, { as, body: { name, scopes: ['all'] } }))
    .body
}

const remove = (owner: Person, idOrName: string | number, as: Person = owner) =>
  call(site, 'DELETE', `/users/${owner.name}/tokens/${encodeURIComponent(idOrName)}`, {
    as: withPassword(as),
  })

describe('GET /users/{username}/tokens', () => {
  it('returns 200 and the newest token first, with the count and never with Link', async () => {
    const ada = await makePerson(site)
    const names = ['one', 'two', 'three']
    for (const name of names) await makeNamed(ada, name)
    const answer = await call(site, 'GET', `/users/${ada.name}/tokens?limit=3`, { as: withPassword(ada) })
    expect(answer.status).toBe(200)
    expect(answer.body.map((token: { name: string }) => token.name)).toEqual(['three', 'two', 'one'])
    expect(answer.headers.get('x-total-count')).toBe('4')
    expect(answer.headers.get('link')).toBeNull()
  })

  it('returns 401 with a token in the header', async () => {
    const ada = await makePerson(site)
    const answer = await call(site, 'GET', `/users/${ada.name}/tokens`, { as: ada })
    expect([answer.status, answer.body.message]).toEqual([401, 'auth required'])
  })

  it('returns 403 for another user’s tokens, except to administrators', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    const path = `/users/${bob.name}/tokens`
    expect((await call(site, 'GET', path, { as: withPassword(ada) })).status).toBe(403)
    expect((await call(site, 'GET', path, { as: withPassword(root) })).status).toBe(200)
  })
})

describe('DELETE /users/{username}/tokens/{token}', () => {
  it('returns 204 by ID or name, after which the token stops working immediately', async () => {
    const ada = await makePerson(site)
    for (const by of ['id', 'name'] as const) {
      const name = `by ${by} / 100% ä`
      const made = await makeNamed(ada, name)
      expect((await call(site, 'GET', '/user', { as: { token: made.sha1 } })).status).toBe(200)
      const answer = await remove(ada, by === 'id' ? made.id : name)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await call(site, 'GET', '/user', { as: { token: made.sha1 } })).status).toBe(401)
      expect((await call(site, 'GET', '/version', { as: { token: made.sha1 } })).status).toBe(401)
    }
  })

  it('returns 422 and deletes nothing if the value is one token’s ID and another’s name', async () => {
    const ada = await makePerson(site)
    const first = await makeNamed(ada, 'first')
    await makeNamed(ada, String(first.id))
    const answer = await remove(ada, first.id)
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `multiple matches for token name '${first.id}'`,
    ])
    expect((await call(site, 'GET', '/user', { as: { token: first.sha1 } })).status).toBe(200)
  })

  it('returns 204 for a name that consists of digits', async () => {
    const ada = await makePerson(site)
    await makeNamed(ada, '99999999999999999999')
    expect((await remove(ada, '99999999999999999999')).status).toBe(204)
  })

  it.each(['nothing', 'CI', '0', '-1', '999999999', '%', "' or 1=1 --"])(
    'returns 404 for %s if only "ci" exists',
    async text => {
      const ada = await makePerson(site)
      await makeNamed(ada, 'ci')
      const answer = await remove(ada, text)
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    },
  )

  it('returns 404 for the ID of another user’s token', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const made = await makeNamed(bob, 'ci')
    expect((await remove(ada, made.id)).status).toBe(404)
    expect((await call(site, 'GET', '/user', { as: { token: made.sha1 } })).status).toBe(200)
  })

  it('returns 403 for another user’s account, except to administrators', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    await makeNamed(bob, 'ci')
    expect((await remove(bob, 'ci', ada)).status).toBe(403)
    expect((await remove(bob, 'ci', root)).status).toBe(204)
  })

  it('returns 401 with a token in the header', async () => {
    const ada = await makePerson(site)
    const { id } = await makeNamed(ada, 'ci')
    expect((await call(site, 'DELETE', `/users/${ada.name}/tokens/${id}`, { as: ada })).status).toBe(401)
  })
})
