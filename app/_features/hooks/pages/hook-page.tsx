import 'server-only'
import { HookScreen } from '@/app/_features/hooks/hook-screen'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { hookQuery } from '@/app/_lib/queries/hooks'
import { caller, orNotFound } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** Creates the settings page of a hook. */
export function hookPage<Params>(scopeOf: ScopeOf<Params>): HooksPage<Params & { id: string }> {
  return async ({ params }) => {
    const { id } = await params
    const { scope } = await scopeOf(await params)
    return await unlessOff(scope, async () => {
      const hook = await orNotFound((await caller()).hooks.get({ scope, id }))
      return (
        <Hydrate entries={[[hookQuery(scope, hook.id), hook]]}>
          <HookScreen scope={scope} id={hook.id} />
        </Hydrate>
      )
    })
  }
}
