import { type Answer, call } from './call'
import type { Expectation } from './role-expectations'
import type { Role, World } from './role-world'
import type { Site } from './site'

/** Sends the request of an endpoint in a role toward the organization of a world. */
export async function callAs(
  site: Site,
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
): Promise<Answer> {
  const [method = '', template = ''] = endpoint.split(' ')
  const known = { ...world.values, ...values?.(world) }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(
      known[name] ?? known[Object.keys(known).find(key => name === 'id' && template.startsWith(key)) ?? ''],
    ),
  )
  const as = role === 'anonymous' ? undefined : world.people[role]
  return await call(site, method, path + query, {
    ...(as ? { as } : {}),
    ...(body ? { body: body(world) } : {}),
  })
}
