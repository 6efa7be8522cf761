import { describe, expect, it } from 'vitest'
import { makeKey, makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import type { Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

describe('checking a name while it is typed', () => {
  it('finds an account name in use, ignoring case', async () => {
    const { owner, org } = await makeTeamCast(site)
    const browser = await signIn(site, owner)
    const obstacle = async (name: string) => (await browser.query('orgs.getNameObstacle', { name })).data
    const name = org.name.toUpperCase()
    expect(await obstacle(name)).toEqual({ code: 'nameTaken', what: 'account', name })
    expect(await obstacle(`${org.name}-2`)).toBe(null)
  })

  it('finds a name released less than 30 days ago and returns when it becomes available, except to its former owners', async () => {
    const { owner, outsider, org } = await makeTeamCast(site)
    const name = org.name.toUpperCase()
    site.now.set(new Date('2026-03-01T12:00:00Z'))
    const body = { new_name: `${org.name}-2` }
    expect((await call(site, 'POST', `/orgs/${org.name}/rename`, { as: owner, body })).status).toBe(204)
    const held = { code: 'nameHeld', name, freeAt: '2026-03-31' }
    const ask = async (as: Person) =>
      (await (await signIn(site, as)).query('orgs.getNameObstacle', { name })).data
    expect([await ask(outsider), await ask(owner)]).toEqual([held, null])
    const browser = await signIn(site, outsider)
    const made = await browser.mutate('orgs.create', { username: name })
    expect(made.error?.data).toMatchObject({ kind: 'unprocessable', field: 'username', reason: held })
    site.now.set(new Date('2026-03-31T12:00:00Z'))
    expect(await ask(outsider)).toBe(null)
    site.now.set(undefined)
  })

  it('finds a repository name in use, only for users who can create repositories there', async () => {
    const { owner, outsider, org } = await makeTeamCast(site)
    await makeRepository(site.db, org.id, { name: 'engine', is_private: true })
    const browser = await signIn(site, owner)
    const ask = (owner: string, name: string) => browser.query('repos.isNameInUse', { owner, name })
    expect((await ask(org.name, 'Engine')).data).toBe(true)
    expect((await ask(org.name, 'engine-2')).data).toBe(false)
    expect((await ask(owner.name, 'engine')).data).toBe(false)
    expect((await ask(outsider.name, 'engine')).status).toBe(404)
    const stranger = await signIn(site, outsider)
    const refused = await stranger.query('repos.isNameInUse', { owner: org.name, name: 'engine' })
    expect(refused.status).toBe(403)
  })
})

it('keys.browse returns the algorithm and size of each key', async () => {
  const { owner } = await makeTeamCast(site)
  const browser = await signIn(site, owner)
  await browser.mutate('keys.add', { title: 'laptop', key: newKey().text })
  const { data } = await browser.query('keys.browse', {})
  expect(data.items).toMatchObject([{ title: 'laptop', algorithm: 'ed25519', bits: 256 }])
})

it('keys.browse lists SSH keys newest first, the viewer’s own and others’', async () => {
  const { owner, outsider } = await makeTeamCast(site)
  for (const title of ['old', 'middle', 'new']) await makeKey(site.db, owner.account.id, { title })
  const titles = ({ data }: { data: { items: { title: string }[] } }) => data.items.map(key => key.title)
  const own = await (await signIn(site, owner)).query('keys.browse', {})
  expect(titles(own)).toEqual(['new', 'middle', 'old'])
  const others = await (await signIn(site, outsider)).query('keys.browse', { username: owner.name })
  expect(titles(others)).toEqual(['new', 'middle', 'old'])
})
