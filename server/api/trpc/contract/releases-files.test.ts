import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { makeAssetTarget, upload } from '@/testing/releases'
import { useSite } from '@/testing/site'

const site = useSite({ releaseAllowedTypes: ['.txt'], releaseMaxBytes: Number.POSITIVE_INFINITY })

it('releases.assets.restore undoes a deletion for a day, for users with write permission', async () => {
  const target = await makeAssetTarget(site)
  const file = await upload(site, target, { name: 'a.txt' })
  const browser = await signIn(site, target.ada)
  const input = {
    owner: target.ada.name,
    repo: target.repository.name,
    id: target.release.id,
    attachment_id: file.id,
  }
  const restore = (by = browser) => by.mutate('releases.assets.restore', input)
  expect((await restore()).status).toBe(404)
  await call(site, 'DELETE', `${target.path}/${file.id}`, { as: target.ada })
  expect((await restore(await signIn(site, await makePerson(site)))).status).toBe(403)
  expect((await restore()).data).toEqual(file)
  expect((await call(site, 'GET', `${target.path}/${file.id}`)).body).toEqual(file)
  await call(site, 'DELETE', `${target.path}/${file.id}`, { as: target.ada })
  site.now.set(new Date(Date.now() + 25 * 3_600_000))
  expect((await restore()).status).toBe(404)
  site.now.set(undefined)
})

it('releases.uploadLimits returns which files can be uploaded', async () => {
  const browser = await signIn(site, await makePerson(site))
  const { data } = await browser.query('releases.uploadLimits')
  expect(data).toEqual({ enabled: true, max_bytes: null, allowed_types: ['.txt'] })
})
