import { expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { loadScope } from '@/server/scopes'
import { contextOf } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { showPermissions } from './get'

const site = useSite()

it('the settings for job tokens of a repository say what kind of account owns it', async () => {
  const ada = await makePerson(site)
  const ctx = contextOf(site, ada)
  const org = await makeOrg(site.db, ada.account.id)
  const kindOf = async (owner: { id: number; name: string }) => {
    const { name: repo } = await makeRepository(site.db, owner.id)
    const scope = await loadScope(ctx, { kind: 'repository', owner: owner.name, repo })
    return (await showPermissions(ctx, scope)).owner_kind
  }
  expect(await kindOf(ada.account)).toBe('person')
  expect(await kindOf(org)).toBe('organization')
  expect((await showPermissions(ctx, await loadScope(ctx, { kind: 'own' }))).owner_kind).toBeNull()
})
