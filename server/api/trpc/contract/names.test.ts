import { describe, expect, it } from 'vitest'
import { makeKey, makeRepository } from '@/db/testing/factories'
import { signIn } from '../../testing/browser'
import { useSite } from '../../testing/site'
import { makeTeamCast } from '../../testing/team-cast'

const site = useSite()

describe('whether a name is taken is told while it is typed', () => {
  it('of an account, in any case', async () => {
    const { owner, org } = await makeTeamCast(site)
    const browser = await signIn(site, owner)
    const taken = async (name: string) => (await browser.query('orgs.nameTaken', { name })).data
    expect(await taken(org.name.toUpperCase())).toBe(true)
    expect(await taken(`${org.name}-2`)).toBe(false)
  })

  it('of a repository, to who may create one there, and to nobody else', async () => {
    const { owner, outsider, org } = await makeTeamCast(site)
    await makeRepository(site.db, org.id, { name: 'engine', is_private: true })
    const browser = await signIn(site, owner)
    const ask = (owner: string, name: string) => browser.query('repos.nameTaken', { owner, name })
    expect((await ask(org.name, 'Engine')).data).toBe(true)
    expect((await ask(org.name, 'engine-2')).data).toBe(false)
    expect((await ask(owner.name, 'engine')).data).toBe(false)
    expect((await ask(outsider.name, 'engine')).status).toBe(404)
    const stranger = await signIn(site, outsider)
    const refused = await stranger.query('repos.nameTaken', { owner: org.name, name: 'engine' })
    expect(refused.status).toBe(403)
  })
})

it('pages list SSH keys newest first, of oneself and of others', async () => {
  const { owner, outsider } = await makeTeamCast(site)
  for (const title of ['old', 'middle', 'new']) await makeKey(site.db, owner.account.id, { title })
  const titles = ({ data }: { data: { items: { title: string }[] } }) => data.items.map(key => key.title)
  const own = await (await signIn(site, owner)).query('keys.newest', {})
  expect(titles(own)).toEqual(['new', 'middle', 'old'])
  const others = await (await signIn(site, outsider)).query('keys.newest', { username: owner.name })
  expect(titles(others)).toEqual(['new', 'middle', 'old'])
})
