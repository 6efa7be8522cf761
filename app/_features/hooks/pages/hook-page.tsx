import 'server-only'
import { HookScreen } from '@/app/_features/hooks/hook-screen'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { Hydrate } from '@/app/_lib/hydrate'
import { hookQuery } from '@/app/_lib/queries/hooks'
import { caller, orNotFound } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** The page with the settings of one hook. */
export function hookPage<Params>(placeOf: PlaceOf<Params>): HooksPage<Params & { id: string }> {
  return async ({ params }) => {
    const { id } = await params
    const { place } = await placeOf(await params)
    return await unlessOff(place, async () => {
      const hook = await orNotFound((await caller()).hooks.get({ place, id }))
      return (
        <Hydrate entries={[[hookQuery(place, hook.id), hook]]}>
          <HookScreen place={place} id={hook.id} />
        </Hydrate>
      )
    })
  }
}
