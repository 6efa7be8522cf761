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

describe('the payload for a created repository', () => {
  it("has the shape of Gitea's, with the permissions of the owner and no email addresses", async () => {
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

it('hookKinds contains the kinds of events that webhooks can receive', () => {
  expect(hookKinds).toContain('repository.created')
})
