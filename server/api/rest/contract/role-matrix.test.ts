import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { documentedEndpoints } from '@/testing/endpoints'
import { type Expectation, expectations } from '@/testing/role-expectations'
import { makeWorld, type Role, roles, type World } from '@/testing/role-world'
import { mount, useSite } from '@/testing/site'

const site = useSite()

let documented: string[]
beforeAll(async () => {
  documented = (await documentedEndpoints(site)).map(({ method, path }) => `${method} ${path}`)
})

// The same verbs answer behind plain Next; asking them all again there would only take time.
describe.skipIf(mount === 'next')('what each role is answered', () => {
  it('is settled for every endpoint of the API, and for no other', () => {
    expect(Object.keys(expectations).sort()).toEqual(documented.sort())
  })

  it.each(Object.entries(expectations))('%s', async (endpoint, expectation) => {
    const answered: string[] = []
    // What changes something meets a world nobody has changed before; what only reads may share one.
    let world = await makeWorld(site)
    for (const [index, role] of roles.entries()) {
      if (index > 0 && !endpoint.startsWith('GET')) world = await makeWorld(site)
      answered.push(String(await statusFor(role, endpoint, expectation, world)))
    }
    expect(answered.join(' ')).toBe(expectation.statuses)
  })
})

async function statusFor(
  role: Role,
  endpoint: string,
  { body, values }: Expectation,
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
  const answer = await call(site, method, path, {
    ...(as ? { as } : {}),
    ...(body ? { body: body(world) } : {}),
  })
  return answer.status
}
