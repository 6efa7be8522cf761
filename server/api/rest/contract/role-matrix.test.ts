import { beforeAll, describe, expect, it } from 'vitest'
import { documentedEndpoints } from '@/testing/endpoints'
import { callAs } from '@/testing/role-call'
import { expectations } from '@/testing/role-expectations'
import { makeWorld, roles, type World } from '@/testing/role-world'
import { mount, useSite } from '@/testing/site'

const site = useSite()

const changing = Object.entries(expectations).filter(([endpoint]) => /^(POST|PUT|PATCH) /.test(endpoint))

let bodyFields: Map<string, string[]>
// Recreated after requests that change something; others leave it unchanged.
let world: World | undefined
beforeAll(async () => {
  const documented = await documentedEndpoints(site)
  bodyFields = new Map(
    documented.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint.bodyFields]),
  )
})

// Plain Next runs the same verbs, so repeating the requests there would only take time.
describe.skipIf(mount === 'next')('the role matrix', () => {
  it('covers exactly the endpoints of the API', () => {
    expect(Object.keys(expectations).sort()).toEqual([...bodyFields.keys()].sort())
  })

  it.each(Object.entries(expectations))('is fulfilled by %s', async (endpoint, expectation) => {
    const answered: string[] = []
    for (const role of roles) {
      world ??= await makeWorld(site)
      const status = (await callAs(site, role, endpoint, expectation, world)).status
      answered.push(String(status))
      if (status < 400 && !endpoint.startsWith('GET')) world = undefined
    }
    expect(answered.join(' ')).toBe(expectation.statuses)
  })

  // Callers without permission must not learn what an endpoint accepts; others get the validation error.
  it.each(changing)(
    'is fulfilled by %s with an invalid body, which is reported only to permitted roles',
    async (endpoint, { statuses, refused: refusal, values }) => {
      const fields = bodyFields.get(endpoint) ?? []
      const wrong = Object.fromEntries(fields.map(name => [name, {}]))
      const refused = fields.length > 0 ? (refusal ?? statuses.replaceAll(/2\d\d/g, '422')) : undefined
      world ??= await makeWorld(site)
      for (const body of refused ? [wrong, 'no object'] : []) {
        const answered: number[] = []
        for (const role of roles)
          answered.push(
            (await callAs(site, role, endpoint, { ...(values ? { values } : {}), body: () => body }, world))
              .status,
          )
        expect(answered.join(' '), JSON.stringify(body)).toBe(refused)
      }
    },
  )

  // These create the object that the path names last.
  const making = /^(PUT \/user\/actions\/secrets|POST \/(user|admin)\/actions\/variables)\//
  const ofSomething = changing.filter(
    ([endpoint]) => endpoint.includes('{') && !endpoint.includes('/tokens') && !making.test(endpoint),
  )
  it.each(ofSomething)(
    'is fulfilled by %s for an object that does not exist, regardless of the body',
    async endpoint => {
      const fields = bodyFields.get(endpoint) ?? []
      const wrong = Object.fromEntries(fields.map(name => [name, {}]))
      world ??= await makeWorld(site)
      const unknown = Object.fromEntries(
        Object.keys(world.values).map(name => [name, 'nobody-has-this-name']),
      )
      const ids = Object.fromEntries(
        Object.keys(world.values)
          .filter(name => name.startsWith('/'))
          .map(name => [name, 99_999_999]),
      )
      const nowhere = { ...world, values: { ...unknown, ...ids } }
      for (const body of [wrong, 'no object']) {
        expect(
          (await callAs(site, 'site admin', endpoint, { body: () => body }, nowhere)).status,
          JSON.stringify(body),
        ).toBe(404)
      }
    },
  )
})
