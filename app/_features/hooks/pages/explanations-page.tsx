import 'server-only'
import { ExplanationsScreen } from '@/app/_features/hooks/explanations-screen'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { hookEventsQuery } from '@/app/_lib/queries/hooks'
import { caller, cursorParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** Creates the page that explains which hooks received an event and why. */
export function explanationsPage<Params>(scopeOf: ScopeOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const cursor = await cursorParam(searchParams)
    return await unlessOff(scope, async () => {
      const events = await (await caller()).hooks.listEvents({ scope, cursor })
      return (
        <Hydrate entries={[[hookEventsQuery(scope, cursor), events]]}>
          <ExplanationsScreen scope={scope} topics={topics} cursor={cursor} />
        </Hydrate>
      )
    })
  }
}
