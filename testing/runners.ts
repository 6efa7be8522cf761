import { registerRunner } from '@/server/runners'
import type { RegisteredRunner, Registration } from '@/server/runners/register'
import { issueRegistrationToken } from '@/server/runners/registration'
import { loadScope } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { jobContext } from '@/server/services'
import { contextOf } from './actions'
import type { Person } from './people'
import type { Site } from './site'

/** Registers a runner in a scope that a person manages. Defaults to the person's own scope. */
export async function makeRunner(
  site: Site,
  person: Person,
  { scope = { kind: 'own' }, ...overrides }: Partial<Registration> & { scope?: ScopeName } = {},
): Promise<RegisteredRunner> {
  const ctx = contextOf(site, person)
  return await registerRunner(jobContext(site.services, 'test'), {
    token: await issueRegistrationToken(ctx, await loadScope(ctx, scope)),
    name: 'builder',
    version: 'v1.0.0',
    labels: ['ubuntu-latest'],
    capabilities: [],
    ephemeral: false,
    ...overrides,
  })
}
