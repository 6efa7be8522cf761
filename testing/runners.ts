import { loadPlace } from '@/server/places'
import type { PlaceName } from '@/server/places/schema'
import { registerRunner } from '@/server/runners'
import type { RegisteredRunner, Registration } from '@/server/runners/register'
import { issueRegistrationToken } from '@/server/runners/registration'
import { jobContext } from '@/server/services'
import { contextOf } from './actions'
import type { Person } from './people'
import type { Site } from './site'

/** Registers a runner of a place that a person manages: their own, unless told otherwise. */
export async function makeRunner(
  site: Site,
  person: Person,
  { place = { scope: 'own' }, ...overrides }: Partial<Registration> & { place?: PlaceName } = {},
): Promise<RegisteredRunner> {
  const ctx = contextOf(site, person)
  return await registerRunner(jobContext(site.services, 'test'), {
    token: await issueRegistrationToken(ctx, await loadPlace(ctx, place)),
    name: 'builder',
    version: 'v1.0.0',
    labels: ['ubuntu-latest'],
    capabilities: [],
    ephemeral: false,
    ...overrides,
  })
}
