import { expect, it } from 'vitest'
import { makeDeployKey, makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

it('keys.deploy.browse shows administrators a repository’s keys, newest first, and where each was last used', async () => {
  const [owner, stranger] = [await makePerson(site), await makePerson(site)]
  const repository = await makeRepository(site.db, owner.account.id)
  await makeDeployKey(site.db, [repository], { title: 'old' })
  await makeDeployKey(site.db, [repository], {
    title: 'new',
    mode: 'write',
    last_used_at: new Date('2026-10-01T00:00:00Z'),
    last_used_address: '192.0.2.7',
  })
  const list = async (person: Person) =>
    (await signIn(site, person)).query('keys.deploy.browse', { owner: owner.name, repo: repository.name })
  const { data } = await list(owner)
  expect(data.items).toMatchObject([
    {
      ...{ title: 'new', algorithm: 'ed25519', bits: 256, read_only: false },
      ...{ last_used_at: '2026-10-01T00:00:00Z', last_used_address: '192.0.2.7' },
    },
    { title: 'old', read_only: true, last_used_at: null, last_used_address: null },
  ])
  expect((await list(stranger)).status).toBe(403)
})
