import 'server-only'
import { DeliveriesScreen } from '@/app/_features/hooks/deliveries/deliveries-screen'
import { deliveryChoice, deliveryInput } from '@/app/_features/hooks/deliveries/delivery-choice'
import { deliveriesQuery, deliveryCountsQuery } from '@/app/_features/hooks/deliveries/queries'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { Hydrate } from '@/app/_lib/hydrate'
import { hookQuery } from '@/app/_lib/queries/hooks'
import { caller, cursorParam, orNotFound, textParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** Creates the page of a hook's deliveries. */
export function deliveriesPage<Params>(scopeOf: ScopeOf<Params>): HooksPage<Params & { id: string }> {
  return async ({ params, searchParams }) => {
    const named = await params
    const { scope } = await scopeOf(named)
    const [status, event, since, cursor] = await Promise.all([
      textParam(searchParams, 'status'),
      textParam(searchParams, 'event'),
      textParam(searchParams, 'since'),
      cursorParam(searchParams),
    ])
    const choice = deliveryChoice({ status, event, since, cursor })
    return await unlessOff(scope, async () => {
      const { hooks } = await caller()
      const hook = await orNotFound(hooks.get({ scope, id: named.id }))
      const name = { scope, id: hook.id }
      const [deliveries, counts] = await Promise.all([
        hooks.browseDeliveries({ ...name, ...deliveryInput(choice) }),
        hooks.countDeliveries(name),
      ])
      return (
        <Hydrate
          entries={[
            [hookQuery(scope, hook.id), hook],
            [deliveriesQuery(name, choice), deliveries],
            [deliveryCountsQuery(name), counts],
          ]}
        >
          <DeliveriesScreen hook={name} choice={choice} />
        </Hydrate>
      )
    })
  }
}
