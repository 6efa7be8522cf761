import 'server-only'
import { HooksScreen } from '@/app/_features/hooks/hooks-screen'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { hooksQuery } from '@/app/_lib/queries/hooks'
import { caller, pageParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** Creates the page that lists a scope's hooks. */
export function listPage<Params>(scopeOf: ScopeOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope, topics } = await scopeOf(await params)
    const page = await pageParam(searchParams)
    return await unlessOff(scope, async () => {
      const hooks = await (await caller()).hooks.browse({ scope, page })
      return (
        <Hydrate entries={[[hooksQuery(scope, page), hooks]]}>
          <HooksScreen scope={scope} topics={topics} page={page} />
        </Hydrate>
      )
    })
  }
}
