import 'server-only'
import type { ReactNode } from 'react'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller } from '@/app/_lib/server'
import { JobTokensScreen } from './job-tokens-screen'
import { permissionsQuery } from './queries'

/** Creates the page with the settings for job tokens of a route's scope. */
export function jobTokensPage<Params>(
  scopeOf: ScopeOf<Params>,
): (props: { params: Promise<Params> }) => Promise<ReactNode> {
  return async ({ params }) => {
    const { scope, topics } = await scopeOf(await params)
    const shown = await (await caller()).actions.permissions.show({ scope })
    return (
      <Hydrate entries={[[permissionsQuery(scope), shown]]}>
        <JobTokensScreen scope={scope} topics={topics} />
      </Hydrate>
    )
  }
}
