import 'server-only'
import type { ReactNode } from 'react'
import { demandQuery, runnersQuery } from '@/app/_features/runners/queries'
import { RunnersScreen } from '@/app/_features/runners/runners-screen'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { caller, pageParam, type SearchParams } from '@/app/_lib/server'

/** A page of a scope's runners, which the route's parameters identify. */
export type RunnersPage<Params> = (props: {
  params: Promise<Params>
  searchParams: SearchParams
}) => Promise<ReactNode>

/** Creates the page that lists a scope's runners. */
export function listPage<Params>(scopeOf: ScopeOf<Params>): RunnersPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const page = await pageParam(searchParams)
    const { manage } = (await caller()).runners
    const [runners, demand] = await Promise.all([
      manage.browse({ scope, page }),
      manage.browseDemand({ scope }),
    ])
    return (
      <Hydrate
        entries={[
          [runnersQuery(scope, page), runners],
          [demandQuery(scope), demand],
        ]}
      >
        <RunnersScreen scope={scope} topics={topics} page={page} />
      </Hydrate>
    )
  }
}
