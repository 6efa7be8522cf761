import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { contextOf } from '@/testing/actions'
import { type GitRepository, makeCommittedRepository, refsOf } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { changeRefs } from './change'

const site = useSite()
let ada: Person
let repository: GitRepository & { commit: string }

beforeEach(async () => {
  ada = await makePerson(site)
  repository = await makeCommittedRepository(site, ada.account)
})

it('changeRefs changes nothing if the objects cannot be written while it still checks', async () => {
  const refs = await refsOf(repository)
  const updates = [{ ref: 'refs/heads/side', before: '0'.repeat(40), after: '1'.repeat(40) }]
  const changed = changeRefs(contextOf(site, ada), repository.id, async () => ({
    updates,
    write: () => Promise.reject(new Error('no disk')),
    check: () => delay(20),
    result: undefined,
  }))
  await expect(changed).rejects.toThrow('no disk')
  expect(await refsOf(repository)).toEqual(refs)
})
