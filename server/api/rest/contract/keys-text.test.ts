import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const read = async (path: string) => {
  const response = await fetch(`${site.url}${path}`)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('GET /{username}.keys', () => {
  it('returns 200 and the user’s keys as text, one per line, without credentials', async () => {
    const ada = await makePerson(site)
    const keys = [await makeKey(site.db, ada.account.id), await makeKey(site.db, ada.account.id)]
    await makeKey(site.db, ada.account.id, { type: 'principal', content: 'ada' })
    const answer = await read(`/${ada.name.toUpperCase()}.keys`)
    expect(answer).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: keys.map(key => `${key.content}\n`).join(''),
    })
  })

  it('returns 200 without expired keys', async () => {
    const ada = await makePerson(site)
    await makeKey(site.db, ada.account.id, { expires_at: new Date(Date.now() - 1000) })
    const { content } = await makeKey(site.db, ada.account.id, { expires_at: new Date(Date.now() + 60_000) })
    expect((await read(`/${ada.name}.keys`)).text).toBe(`${content}\n`)
  })

  it('returns 200 and the keys without their comments, which often contain email addresses', async () => {
    const ada = await makePerson(site)
    const { content } = await makeKey(site.db, ada.account.id)
    await site.db
      .updateTable('public_keys')
      .set({ content: `${content} ada@example.test on the laptop` })
      .where('owner_id', '=', ada.account.id)
      .execute()
    expect((await read(`/${ada.name}.keys`)).text).toBe(`${content}\n`)
  })

  it('returns 200 and an empty text for a user without keys', async () => {
    const ada = await makePerson(site)
    expect(await read(`/${ada.name}.keys`)).toMatchObject({ status: 200, text: '' })
  })

  it.each(['limited', 'private'] as const)(
    'returns 404 for a %s account, as for an unknown user',
    async visibility => {
      const ada = await makePerson(site, { visibility })
      await makeKey(site.db, ada.account.id)
      const hidden = await read(`/${ada.name}.keys`)
      const absent = await read('/nobody-here.keys')
      expect(hidden).toEqual({ ...absent, text: absent.text.replace('nobody-here', ada.name) })
      expect(hidden.status).toBe(404)
    },
  )
})
