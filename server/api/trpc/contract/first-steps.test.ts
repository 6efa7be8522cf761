import { expect, it } from 'vitest'
import { makeKey, makeRepository } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { recordEvent } from '@/server/events'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

it('activity.getFirstSteps says what a person has done of a valid credential, a repository, and a push', async () => {
  const ada = await makePerson(site)
  const { id } = ada.account
  await site.db.deleteFrom('access_tokens').where('user_id', '=', id).execute()
  const browser = await signIn(site, ada)
  const done = async () => Object.values((await browser.query('activity.getFirstSteps')).data)
  await makeKey(site.db, id, { expires_at: new Date(Date.now() - 1000) })
  expect(await done()).toEqual([false, false, false])
  await makeKey(site.db, id)
  expect(await done()).toEqual([true, false, false])
  const repository = await makeRepository(site.db, id)
  expect(await done()).toEqual([true, true, false])
  const facts = { ref: 'refs/heads/main', refType: 'branch', sha: '', quiet: false } as const
  await withTransaction(site.db, trx =>
    recordEvent(
      trx,
      { actorId: id, remoteAddress: '', requestId: 'test' },
      {
        kind: 'ref.created',
        ownerId: id,
        repositoryId: repository.id,
        facts: { repositoryId: repository.id, ...facts },
      },
    ),
  )
  expect(await done()).toEqual([true, true, true])
})
