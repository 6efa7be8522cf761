import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { documentedEndpoints } from '@/testing/endpoints'
import { type Expectation, expectations } from '@/testing/role-expectations'
import { makeWorld, type Role, roles, type World } from '@/testing/role-world'
import { mount, useSite } from '@/testing/site'

const site = useSite()

const changing = Object.entries(expectations).filter(([endpoint]) => /^(POST|PUT|PATCH) /.test(endpoint))

let bodyFields: Map<string, string[]>
// What only reads or is refused leaves it as it is; what changes something has it made anew for the next.
let world: World | undefined
beforeAll(async () => {
  const documented = await documentedEndpoints(site)
  bodyFields = new Map(
    documented.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint.bodyFields]),
  )
})

// The same verbs answer behind plain Next; asking them all again there would only take time.
describe.skipIf(mount === 'next')('what each role is answered', () => {
  it('is settled for every endpoint of the API, and for no other', () => {
    expect(Object.keys(expectations).sort()).toEqual([...bodyFields.keys()].sort())
  })

  it.each(Object.entries(expectations))('%s', async (endpoint, expectation) => {
    const answered: string[] = []
    for (const role of roles) {
      world ??= await makeWorld(site)
      const status = await statusFor(role, endpoint, expectation, world)
      answered.push(String(status))
      if (status < 400 && !endpoint.startsWith('GET')) world = undefined
    }
    expect(answered.join(' ')).toBe(expectation.statuses)
  })

  // Whoever may not call an endpoint learns nothing of what it takes, and whoever may is told what is wrong.
  it.each(changing)(
    '%s with a body that cannot be',
    async (endpoint, { statuses, refused: refusal, values }) => {
      const fields = bodyFields.get(endpoint) ?? []
      const wrong = Object.fromEntries(fields.map(name => [name, {}]))
      const refused = fields.length > 0 ? (refusal ?? statuses.replaceAll(/2\d\d/g, '422')) : undefined
      world ??= await makeWorld(site)
      for (const body of refused ? [wrong, 'no object'] : []) {
        const answered: number[] = []
        for (const role of roles)
          answered.push(
            await statusFor(role, endpoint, { ...(values ? { values } : {}), body: () => body }, world),
          )
        expect(answered.join(' '), JSON.stringify(body)).toBe(refused)
      }
    },
  )

  // Whatever their path names last, they make it.
  const making = /^(PUT \/user\/actions\/secrets|POST \/(user|admin)\/actions\/variables)\//
  const ofSomething = changing.filter(
    ([endpoint]) => endpoint.includes('{') && !endpoint.includes('/tokens') && !making.test(endpoint),
  )
  it.each(ofSomething)('%s is of nothing that is there, whatever its body', async endpoint => {
    const fields = bodyFields.get(endpoint) ?? []
    const wrong = Object.fromEntries(fields.map(name => [name, {}]))
    world ??= await makeWorld(site)
    const unknown = Object.fromEntries(Object.keys(world.values).map(name => [name, 'nobody-has-this-name']))
    const ids = Object.fromEntries(
      Object.keys(world.values)
        .filter(name => name.startsWith('/'))
        .map(name => [name, 99_999_999]),
    )
    const nowhere = { ...world, values: { ...unknown, ...ids } }
    for (const body of [wrong, 'no object']) {
      expect(
        await statusFor('site admin', endpoint, { body: () => body }, nowhere),
        JSON.stringify(body),
      ).toBe(404)
    }
  })
})

async function statusFor(
  role: Role,
  endpoint: string,
  {
    query = '',
    body,
    values,
  }: {
    query?: string
    body?: ((world: World) => object | string) | undefined
    values?: Expectation['values']
  },
  world: World,
): Promise<number> {
  const [method = '', template = ''] = endpoint.split(' ')
  const known = { ...world.values, ...values?.(world) }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(
      known[name] ?? known[Object.keys(known).find(key => name === 'id' && template.startsWith(key)) ?? ''],
    ),
  )
  const as = role === 'anonymous' ? undefined : world.people[role]
  const answer = await call(site, method, path + query, {
    ...(as ? { as } : {}),
    ...(body ? { body: body(world) } : {}),
  })
  return answer.status
}
