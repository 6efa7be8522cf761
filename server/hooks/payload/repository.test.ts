import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { hookKinds } from '.'
import { payloadsOf } from './testing/payloads'

const site = useSite()
let ada: Person

beforeAll(async () => {
  ada = await makePerson(site)
})

describe('a repository that is created', () => {
  it('is sent as Gitea sends it, with the rights of its owner and nobody’s address', async () => {
    const [payload, ...others] = await payloadsOf(site, () =>
      call(site, 'POST', '/user/repos', { as: ada, body: { name: 'plain' } }),
    )
    expect(others).toEqual([])
    const { body: repository } = await call(site, 'GET', `/repos/${ada.name}/plain`)
    const { body: user } = await call(site, 'GET', `/users/${ada.name}`)
    expect(payload).toEqual({
      event: 'repository',
      eventType: 'repository',
      body: {
        action: 'created',
        repository: { ...repository, permissions: { admin: true, push: true, pull: true } },
        organization: user,
        sender: user,
      },
      indent: 1,
    })
  })
})

it('knows the kinds of events that it makes something of', () => {
  expect(hookKinds).toContain('repository.created')
})
