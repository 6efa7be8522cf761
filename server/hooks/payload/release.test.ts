import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type GitRepository, makeCommittedRepository } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { payloadsOf } from './testing/payloads'

const site = useSite()
let ada: Person
let repository: GitRepository

beforeAll(async () => {
  ada = await makePerson(site)
})
beforeEach(async () => {
  repository = await makeCommittedRepository(site, ada.account)
})

const send = (method: string, rest: string, body?: object) =>
  call(site, method, `/repos${repository.path}/releases${rest}`, { as: ada, body })
const notifiedOf = async (act: () => Promise<unknown>) =>
  (await payloadsOf(site, act)).map(({ eventType, body }) => [
    eventType,
    ...('action' in body ? [body.action] : []),
  ])

describe('the payloads of a release', () => {
  it('announce a new tag as created and pushed, and then the published release as the public sees it', async () => {
    const payloads = await payloadsOf(site, () => send('POST', '', { tag_name: 'v1', name: 'First' }))
    expect(payloads.map(({ eventType }) => eventType)).toEqual(['create', 'push', 'release'])
    const { body: release } = await call(site, 'GET', `/repos${repository.path}/releases/latest`)
    const { body: shown } = await call(site, 'GET', `/repos${repository.path}`)
    const { body: sender } = await call(site, 'GET', `/users/${ada.name}`)
    expect(payloads[2]).toEqual({
      event: 'release',
      eventType: 'release',
      body: {
        action: 'published',
        release,
        repository: { ...shown, permissions: { admin: true, push: true, pull: true } },
        sender,
      },
      indent: 2,
    })
  })

  it('announce the publication, update, and deletion of a release, even if the events are handled later', async () => {
    const received = await notifiedOf(async () => {
      const { body } = await send('POST', '', { tag_name: 'v1', name: 'First' })
      await send('PATCH', `/${body.id}`, { name: 'One' })
      await send('DELETE', `/${body.id}`)
    })
    expect(received.slice(2)).toEqual([
      ['release', 'published'],
      ['release', 'updated'],
      ['release', 'deleted'],
    ])
  })

  it('are not sent for a draft, or for a release that has become a draft again', async () => {
    const received = await notifiedOf(async () => {
      await send('POST', '', { tag_name: 'v1', draft: true })
      const { body } = await send('POST', '', { tag_name: 'v2' })
      await send('PATCH', `/${body.id}`, { draft: true })
    })
    expect(received).toEqual([['create'], ['push']])
  })
})
