import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function on(method: string, as: Person, name: string): Promise<[number, string | undefined]> {
  const answer = await call(site, method, `/user/blocks/${name}`, { as })
  return [answer.status, answer.body?.message]
}

describe('PUT /user/blocks/{username}', () => {
  it('returns 204 without a body and ignoring the name’s case, after which GET returns 204', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    expect(await on('GET', ada, bob.name)).toEqual([404, 'not found'])
    expect(await on('PUT', ada, bob.name.toUpperCase())).toEqual([204, undefined])
    expect(await on('GET', ada, bob.name)).toEqual([204, undefined])
    expect(await on('GET', bob, ada.name)).toEqual([404, 'not found'])
  })

  it('returns 204 and shows the note in the query only to the blocker', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const answer = await call(site, 'PUT', `/user/blocks/${bob.name}?note=spam`, { as: ada })
    expect(answer.status).toBe(204)
    expect((await call(site, 'GET', '/user', { as: bob })).text).not.toContain('spam')
  })

  it('returns 400 for the caller', async () => {
    const ada = await makePerson(site)
    expect(await on('PUT', ada, ada.name)).toEqual([400, expect.stringMatching(/^cannot block the user/)])
  })

  it('returns 400 for an already blocked user, even when sent twice at the same time', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const twice = await Promise.all([on('PUT', ada, bob.name), on('PUT', ada, bob.name)])
    expect(twice.map(([status]) => status).sort()).toEqual([204, 400])
    expect(await on('PUT', ada, bob.name)).toEqual([400, expect.stringMatching(/^cannot block the user/)])
  })

  it('returns 404 for a user who does not exist or is hidden from the caller', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    for (const name of ['nobody-here', bob.name]) expect((await on('PUT', ada, name))[0]).toBe(404)
  })

  it('returns 422 for a note that is too long or contains control characters', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    for (const note of ['x'.repeat(256), '%00']) {
      expect((await call(site, 'PUT', `/user/blocks/${bob.name}?note=${note}`, { as: ada })).status).toBe(422)
    }
  })
})

describe('DELETE /user/blocks/{username}', () => {
  it('returns 204 and unblocks the user, after which GET returns 404', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    await on('PUT', ada, bob.name)
    expect(await on('DELETE', ada, bob.name)).toEqual([204, undefined])
    expect((await on('GET', ada, bob.name))[0]).toBe(404)
  })

  it('returns 204 for a user who became hidden after being blocked', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    await on('PUT', ada, bob.name)
    await site.db
      .updateTable('users')
      .set({ visibility: 'private' })
      .where('id', '=', bob.account.id)
      .execute()
    expect((await on('DELETE', ada, bob.name))[0]).toBe(204)
  })

  it('returns the same 404 for a hidden user who is not blocked as for an unknown user', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const [hidden, absent] = [await on('DELETE', ada, bob.name), await on('DELETE', ada, 'nobody-here')]
    expect(hidden).toEqual([404, absent[1]?.replace('nobody-here', bob.name)])
    expect(absent[0]).toBe(404)
  })

  it('returns 400 for a user who is not blocked', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    expect(await on('DELETE', ada, bob.name)).toEqual([
      400,
      expect.stringMatching(/^cannot unblock the user/),
    ])
  })

  it('returns 404 for an unknown user', async () => {
    expect((await on('DELETE', await makePerson(site), 'nobody-here'))[0]).toBe(404)
  })
})

describe('GET /user/blocks/{username}', () => {
  it('returns the same 404 for users who are not blocked, hidden, or unknown', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of [bob.name, hidden.name, 'nobody-here']) {
      expect(await on('GET', ada, name)).toEqual([404, 'not found'])
    }
  })
})

describe('GET /user/blocks', () => {
  it('returns 200 and the users the caller blocks, with count and links', async () => {
    const ada = await makePerson(site)
    const names = []
    for (let count = 0; count < 3; count++) {
      const { name } = await makePerson(site)
      await on('PUT', ada, name)
      names.push(name)
    }
    const answer = await call(site, 'GET', '/user/blocks?limit=2', { as: ada })
    expect(answer.body.map((user: { login: string }) => user.login)).toEqual(names.slice(0, 2))
    expect(answer.headers.get('x-total-count')).toBe('3')
    expect(answer.headers.get('link')).toContain(
      `<${site.url}/api/v1/user/blocks?limit=2&page=2>; rel="next"`,
    )
    const past = await call(site, 'GET', '/user/blocks?page=9', { as: ada })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '3'])
  })

  it('returns 401 without credentials, as do the other block endpoints', async () => {
    const bob = await makePerson(site)
    const answers = [
      await call(site, 'GET', '/user/blocks'),
      await call(site, 'GET', `/user/blocks/${bob.name}`),
      await call(site, 'PUT', `/user/blocks/${bob.name}`),
      await call(site, 'DELETE', `/user/blocks/${bob.name}`),
    ]
    expect(answers.map(answer => answer.status)).toEqual([401, 401, 401, 401])
  })
})
