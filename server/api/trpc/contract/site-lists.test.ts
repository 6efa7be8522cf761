import { expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

it('orgs.browse returns all organizations with counts to administrators, by text, visibility, and order', async () => {
  const root = await makePerson(site, { is_admin: true })
  const end = `-site${root.account.id}`
  const make = (name: string, fields: object = {}) =>
    makeOrg(site.db, root.account.id, { name: `${name}${end}`, ...fields })
  await make('cargo', { visibility: 'private' })
  const arbor = await make('Arbor', { full_name: 'The 50% club' })
  await make('birch', { visibility: 'limited' })
  await makeRepository(site.db, arbor.id)
  const browser = await signIn(site, root)
  const found = async (choice: object) => {
    const { data } = await browser.query('orgs.browse', { q: end, ...choice })
    return [data.total, ...data.items.map(({ name }: { name: string }) => name.replace(end, ''))]
  }
  expect(await found({})).toEqual([3, 'Arbor', 'birch', 'cargo'])
  expect(await found({ sort: 'newest', limit: 2, page: 2 })).toEqual([3, 'cargo'])
  expect((await found({ sort: 'repositories' }))[1]).toBe('Arbor')
  expect(await found({ visibility: 'private' })).toEqual([1, 'cargo'])
  expect(await found({ q: '50% c' })).toEqual([1, 'Arbor'])
  expect(await found({ page: 9 })).toEqual([3])
  const { data } = await browser.query('orgs.browse', { q: `arbor${end}` })
  expect(data.items).toEqual([
    {
      id: arbor.id,
      name: arbor.name,
      full_name: 'The 50% club',
      visibility: 'public',
      members: expect.any(Number),
      teams: expect.any(Number),
      repositories: 1,
      created: expect.stringMatching(/Z$/),
    },
  ])
  const other = await signIn(site, await makePerson(site))
  expect((await other.query('orgs.browse', {})).status).toBe(403)
})
