import { beforeAll, describe, expect, it } from 'vitest'
import { refuseChanges } from '@/db/refuse-changes'
import { recordKeyUse } from '@/server/keys'
import { callAs } from '@/testing/role-call'
import { expectations } from '@/testing/role-expectations'
import { makeWorld, roles, type World } from '@/testing/role-world'
import { mount, useSite } from '@/testing/site'

const site = useSite()
let world: World
beforeAll(async () => {
  world = await makeWorld(site)
  Object.assign(site.services.config, { readOnly: true })
  refuseChanges(site.services.database)
})

// A registration token is created the first time that somebody asks for it.
const mayChange = (endpoint: string): boolean =>
  !endpoint.startsWith('GET') || endpoint.endsWith('/registration-token')

it('the use of a key is not recorded while a site is read-only, which would fail with each connection', async () => {
  const ctx = { ...site.services, remoteAddress: '192.0.2.1' }
  await expect(recordKeyUse(ctx, { id: 1, owner: undefined })).resolves.toBeUndefined()
})

describe.skipIf(mount === 'next')('a site that is read-only', () => {
  it.each(Object.entries(expectations))(
    'responds to %s as before, or with 503 and the reason',
    async (endpoint, expectation) => {
      for (const [index, role] of roles.entries()) {
        const { status, body, headers } = await callAs(site, role, endpoint, expectation, world)
        const isClosed = status === 503 && body.message === 'the site is read-only during maintenance'
        if (isClosed && headers.get('retry-after') === '60' && mayChange(endpoint)) continue
        expect(`${role}: ${status} ${body?.message}`).toMatch(
          `${role}: ${expectation.statuses.split(' ')[index]} `,
        )
      }
    },
  )
})
